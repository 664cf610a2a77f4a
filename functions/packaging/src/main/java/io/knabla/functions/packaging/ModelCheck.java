package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.compiler.analyze.Analyzer;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.ModelReader;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.shape.ShapeInference;
import io.knabla.functions.packaging.SignatureReader.Signature;
import io.knabla.functions.packaging.TensorOutputs.Rewritten;
import io.knabla.functions.packaging.WeightSplitter.Split;
import io.knabla.functions.unit.ClassNames;
import io.knabla.functions.unit.InputDefault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks a model file and splits off its weights; returns split model, signature and analysis, or all faults. */
final class ModelCheck {
    private ModelCheck() {}

    /** Result of the check. */
    sealed interface Checked {
        /**
         * @param classes names of the classes that outputs score
         * @param defaults of inputs that a request may leave out
         */
        record Good(
                Split split,
                Signature signature,
                List<ClassNames> classes,
                List<InputDefault> defaults,
                Analysis analysis,
                List<String> warnings)
                implements Checked {}

        record Bad(List<Fault> faults) implements Checked {}
    }

    static Checked check(ModelFiles files) {
        if (!Files.isRegularFile(files.model())) {
            String trouble = Files.isDirectory(files.model())
                    ? "'%s' is a folder; name the model file in it"
                    : "there is no file '%s'";
            return new Checked.Bad(List.of(new Fault("model", trouble.formatted(files.model()))));
        }
        try {
            return switch (ModelReader.read(files.model())) {
                case ModelReader.ReadResult.Refused(var why) -> new Checked.Bad(List.of(new Fault("model", why)));
                case ModelReader.ReadResult.Opened(var model) -> check(model, files);
            };
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the model " + files.model(), unreadable);
        }
    }

    static Checked check(Model source, ModelFiles files) {
        var faults = new FaultCollector();
        var optional = new OptionalInputs(files, faults);
        ModelProto named = PlaceholderNames.remove(optional.toTensors(source.proto()));
        ModelProto shaped = DeclaredShapes.write(named, files.shapes(), faults);
        Rewritten rewritten =
                TensorOutputs.rewrite(BodyOutputs.rewrite(PortableLocale.rewrite(optional.withDefaults(shaped))));
        Model model = rewritten.model() == source.proto() ? source : Model.of(rewritten.model());
        var warnings = new ArrayList<String>();
        VersionCheck.check(model, faults, warnings);
        StructureCheck.check(model, faults);
        Split split = WeightSplitter.split(model.proto(), files, faults);
        // The split model, because it has every small constant in the graph and no large one.
        Model ready = Model.of(split.model());
        Signature signature = signature(ready, faults);
        if (!faults.isEmpty()) {
            return new Checked.Bad(faults.toList());
        }
        warnings.addAll(ModelWarnings.of(model));
        return new Checked.Good(
                split,
                signature,
                rewritten.classes(),
                optional.defaults(),
                Analyzer.analyze(ready),
                List.copyOf(warnings));
    }

    /** Infers shapes only if the graph is valid and outputs lack shapes. */
    static Signature signature(Model model, FaultCollector faults) {
        Map<String, TensorType> types = faults.isEmpty()
                        && SignatureReader.leavesShapesOut(model.proto().getGraph())
                ? ShapeInference.types(model)
                : Map.of();
        return SignatureReader.read(model.proto().getGraph(), types, faults);
    }
}
