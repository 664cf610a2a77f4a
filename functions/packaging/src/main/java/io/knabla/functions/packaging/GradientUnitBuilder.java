package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.compiler.analyze.Analyzer;
import io.knabla.functions.compiler.autodiff.CompiledGraph;
import io.knabla.functions.compiler.autodiff.Differentiation.Differentiated;
import io.knabla.functions.compiler.autodiff.Differentiation.NotDifferentiated;
import io.knabla.functions.compiler.autodiff.Differentiator;
import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.compiler.autodiff.loss.ClassIndexInput;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.packaging.ModelCheck.Checked;
import io.knabla.functions.packaging.SignatureReader.Signature;
import io.knabla.functions.packaging.UnitParts.Part;
import io.knabla.functions.packaging.UnitParts.Prepared;
import io.knabla.functions.packaging.UnitParts.State;
import io.knabla.functions.packaging.WeightSplitter.Split;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.LabelRange;
import io.knabla.functions.unit.Optimization;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.TrainingSpec.Setting;
import io.knabla.functions.unit.TrainingSpec.StateTensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Builds the graphs of a gradient or training unit from a checked model and a gradient plan. */
final class GradientUnitBuilder {
    /** Entry with the source model, from which an export starts; the main graph is derived from it. */
    static final String SOURCE = "source";

    private static final String LEARNING_RATE = "learning_rate";

    private final Checked.Good source;
    private final GradientRequest plan;
    private final Provenance provenance;
    private final FaultCollector faults = new FaultCollector();
    private final Map<Blob, TensorSource> blobs;

    private GradientUnitBuilder(Checked.Good source, GradientRequest plan, Digest model) {
        this.source = source;
        this.plan = plan;
        provenance = Provenance.of(model, plan.kind().name(), plan.gradient());
        blobs = new LinkedHashMap<>(source.split().blobs());
    }

    /** @param model digest of the file that {@code source} was read from */
    static Prepared build(Checked.Good source, GradientRequest plan, Digest model) {
        return switch (Differentiator.differentiate(Model.of(source.split().model()), plan)) {
            case NotDifferentiated(var faults) -> new Prepared.Refused(faults);
            case Differentiated done -> new GradientUnitBuilder(source, plan, model).build(done);
        };
    }

    private Prepared build(Differentiated done) {
        List<Part> parts =
                new ArrayList<>(done.entries().stream().map(this::part).toList());
        Part main = parts.removeFirst();
        // Unchanged: an export must return the model that its owner uploaded.
        parts.add(new Part(SOURCE, source.split().model(), source.signature(), Optimization.FULL));
        if (!faults.isEmpty()) {
            return new Prepared.Refused(faults.toList());
        }
        return new Prepared.Ready(new UnitParts(
                main,
                List.copyOf(parts),
                blobs,
                state(done, main),
                done.labels().map(GradientUnitBuilder::labels),
                List.of(),
                analysis(main),
                Stream.concat(source.warnings().stream(), done.warnings().stream())
                        .toList(),
                source.defaults()));
    }

    /** Checks a generated graph like an uploaded one, so a bug is found here and not in a replica. */
    private Part part(CompiledGraph entry) {
        ModelProto named = provenance.addTo(entry.model(), entry.name());
        StructureCheck.check(Model.of(named), faults);
        Split split = WeightSplitter.split(named, source.split().blobs(), faults);
        blobs.putAll(split.blobs());
        Signature signature = ModelCheck.signature(Model.of(split.model()), faults);
        return new Part(
                entry.name(),
                split.model(),
                new Signature(signature.inputs(), signature.outputs(), false),
                // Full optimisation is safe: the engine cannot recognise recomputed nodes as duplicates.
                Optimization.FULL);
    }

    private static LabelRange labels(ClassIndexInput indices) {
        return new LabelRange(indices.input(), indices.classes(), indices.ignored());
    }

    private List<State> state(Differentiated done, Part main) {
        if (done.state().isEmpty()) {
            return List.of();
        }
        Map<String, TensorSpec> inputs = new LinkedHashMap<>();
        main.signature().inputs().forEach(spec -> inputs.put(spec.name(), spec));
        List<StateTensor> tensors = done.state().stream()
                .map(s -> new StateTensor(s.input(), s.output(), inputs.get(s.input())))
                .toList();
        return List.of(new State(tensors, InitialState.of(tensors, source.split()), settings(inputs)));
    }

    private List<Setting> settings(Map<String, TensorSpec> inputs) {
        return plan.gradient()
                .optimizer()
                .filter(_ -> inputs.containsKey(LEARNING_RATE))
                .map(optimizer -> List.of(new Setting(LEARNING_RATE, optimizer.learningRate())))
                .orElse(List.of());
    }

    /** A training step takes its weights as inputs; the analysis still counts them as weights. */
    private Analysis analysis(Part main) {
        return Analyzer.analyze(Model.of(main.model()))
                .withWeights(source.analysis().parameters(), source.analysis().weightBytes());
    }
}
