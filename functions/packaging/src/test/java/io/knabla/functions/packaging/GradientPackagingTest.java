package io.knabla.functions.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.Fault;
import io.knabla.functions.MemoryStore;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.packaging.PackagingResult.Packaged;
import io.knabla.functions.packaging.PackagingResult.Refused;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.LabelRange;
import io.knabla.functions.unit.Optimization;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.TrainingSpec;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.TensorEntry;
import io.knabla.storage.ObjectKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests units of gradients and training steps: their graphs, signatures, state and refusals. */
class GradientPackagingTest {
    private static final String MSE = "type: Gradient, gradient: {loss: {output: y, function: MSE, target: t}";
    private static final String STEP = "type: TrainingStep, gradient: {loss: {output: y, function: MSE, target: t},"
            + " optimizer: {type: Adam, learningRate: 0.25}";

    @TempDir
    Path folder;

    private final MemoryStore store = new MemoryStore();

    private static FunctionSpec spec(String wish) {
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: f}
                spec: {model: m.onnx, %s}
                """.formatted(wish);
        return ((Parsed.Valid) FunctionYaml.parse(yaml)).resource().spec();
    }

    private PackagingResult tryPack(ModelProto model, String wish) {
        Path file = Onnx.save(model, folder.resolve("model.onnx"));
        return Packager.pack(ModelFiles.beside(file), GradientRequests.of(spec(wish)), store);
    }

    private Packaged pack(ModelProto model, String wish) {
        PackagingResult packaging = tryPack(model, wish);
        assertThat(packaging).isInstanceOf(Packaged.class);
        return (Packaged) packaging;
    }

    private byte[] stored(Blob blob) {
        return store.objects.get(new ObjectKey("blobs/" + blob.digest().hex()));
    }

    private ModelProto graph(Blob blob) throws IOException {
        return ModelProto.parseFrom(stored(blob));
    }

    private static List<String> names(List<TensorSpec> specs) {
        return specs.stream().map(TensorSpec::name).toList();
    }

    @Test
    void aGradientUnitHasOneEntryPerGraph() {
        GraphManifest unit =
                pack(Onnx.mlp(4, 8, 2), MSE + ", withRespectTo: [x, b2]}").graphs();

        assertThat(unit.schema()).isEqualTo(GraphManifest.SCHEMA_ENTRIES);
        assertThat(names(unit.inputs())).containsExactly("x", "t");
        assertThat(names(unit.outputs())).containsExactly("loss", "x_grad", "b2_grad", "y");
        assertThat(unit.batchable()).isFalse();
        assertThat(unit.training()).isEmpty();
        assertThat(unit.entries().stream().map(EntryPoint::name))
                .containsExactlyInAnyOrder("value", "apply", "vjp", "jvp", "hvp", "perturbed", "source");
        EntryPoint apply = unit.entry("apply").orElseThrow();
        assertThat(names(apply.inputs())).containsExactly("x");
        assertThat(names(apply.outputs())).containsExactly("y");
        assertThat(names(unit.entry("value").orElseThrow().outputs())).containsExactly("loss", "y");
        assertThat(names(unit.entry("vjp").orElseThrow().inputs())).containsExactly("x", "ct:y");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
                    function: SoftmaxCrossEntropy                        | 0 to 2
                    function: NLL                                        | 0 to 2
                    'function: NLL, ignoreIndex: 7'                      | 0 to 2, and 7 to ignore
                    'function: SoftmaxCrossEntropy, labelSmoothing: 0.1' | 0 to 2, and -100 to ignore
                    'function: SoftmaxCrossEntropy, axis: -1'            | 0 to 2
                    'function: SoftmaxCrossEntropy, targetForm: Probabilities' | -
                    function: MSE                                        | -
                    """)
    void recordsTheRangeOfLabels(String function, String allowed) {
        GraphManifest unit = pack(
                        Onnx.mlp(4, 8, 3),
                        "type: Gradient, gradient: {loss: {output: y, target: t, %s}, withRespectTo: [b2]}"
                                .formatted(function))
                .graphs();

        assertThat(unit.labels().map(LabelRange::allowed)).isEqualTo(Optional.ofNullable(allowed));
        assertThat(unit.labels().map(LabelRange::input)).isIn(Optional.empty(), Optional.of("t"));
    }

    @Test
    void aTrainingStepHidesItsStateFromCallers() throws IOException {
        ModelProto model = Onnx.mlp(256, 512, 2);
        GraphManifest unit = pack(model, STEP + "}").graphs();

        assertThat(names(unit.inputs())).contains("x", "t").doesNotContain("w1", "opt.step");
        assertThat(names(unit.outputs())).contains("loss").noneMatch(n -> n.startsWith("new:"));
        TrainingSpec training = unit.training().orElseThrow();
        assertThat(training.state().stream().map(TrainingSpec.StateTensor::input))
                .contains("w1", "b1", "w2", "b2", "opt.m:w1", "opt.v:b2", "opt.step");
        assertThat(training.settings()).containsExactly(new TrainingSpec.Setting("learning_rate", 0.25));
        Map<String, TensorProto> weights =
                model.getGraph().getInitializerList().stream().collect(Collectors.toMap(TensorProto::getName, t -> t));
        var in = new ByteArrayInputStream(stored(training.initial()));
        var header = SafeTensors.readHeader(in);
        assertThat(header.entries().stream().map(TensorEntry::name))
                .containsExactlyInAnyOrderElementsOf(weights.keySet());
        for (TensorEntry slot : header.entries()) {
            assertThat(in.readNBytes((int) slot.bytes()))
                    .as(slot.name())
                    .isEqualTo(weights.get(slot.name()).getRawData().toByteArray());
        }
    }

    @Test
    void aTrainedModelIsItsSourceWithOtherWeights() throws IOException {
        ModelProto model = Onnx.mlp(256, 512, 2);
        Packaged packaged = pack(model, STEP + "}");

        try (ModelExport export = ModelExport.of(packaged.unit(), Optional.empty(), store)) {
            var bytes = new java.io.ByteArrayOutputStream();
            export.writeTo(bytes);
            assertThat(ModelProto.parseFrom(bytes.toByteArray())).isEqualTo(model);
        }
    }

    @Test
    void everyGraphSharesTheLargeWeights() throws IOException {
        Packaged packaged = pack(Onnx.mlp(256, 512, 256), MSE + ", withRespectTo: [x]}");
        GraphManifest unit = packaged.graphs();

        var digests = new HashSet<String>();
        unit.weights().forEach(blob -> digests.add(blob.digest().hex()));
        assertThat(unit.weights()).allMatch(blob -> stored(blob) != null);
        assertThat(unit.weightBytes()).isEqualTo(2L * 256 * 512 * 4);
        for (EntryPoint entry : unit.entries()) {
            assertThat(entry.graph().size()).as(entry.name()).isLessThan(100_000);
        }
        assertThat(graph(unit.graph()).getGraph().getInitializerList().stream()
                        .map(WeightMerger::location)
                        .flatMap(Optional::stream))
                .isSubsetOf(digests)
                .isNotEmpty();
        assertThat(packaged.analysis().weightBytes()).isEqualTo(unit.weightBytes() + 3072);
    }

    @Test
    void everyGraphRecordsItsProvenance() throws IOException {
        Packaged packaged = pack(Onnx.mlp(4, 8, 2), MSE + ", withRespectTo: [x]}");

        Map<String, String> props =
                graph(packaged.graphs().entry("vjp").orElseThrow().graph()).getMetadataPropsList().stream()
                        .collect(Collectors.toMap(StringStringEntryProto::getKey, StringStringEntryProto::getValue));

        assertThat(props)
                .containsEntry("knabla.source", packaged.model().value())
                .containsEntry("knabla.entry", "vjp")
                .containsEntry("knabla.rules", Integer.toString(Provenance.RULES));
        assertThat(props.get("knabla.transform")).contains("\"function\":\"MSE\"", "GRADIENT");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            type: Gradient, gradient: {loss: {output: y, function: MSE, target: t}}
            type: TrainingStep, gradient: {loss: {output: y, function: MSE, target: t}, optimizer: {type: SGD, learningRate: 1}}
            """)
    void theSameSpecGivesTheSameUnit(String wish) {
        ModelProto model = Onnx.mlp(16, 32, 16);

        assertThat(pack(model, wish).unit()).isEqualTo(pack(model, wish).unit());
        assertThat(pack(model, wish).unit())
                .isNotEqualTo(pack(model, wish.replace("MSE", "MAE")).unit());
    }

    @Test
    void recomputedGraphsAllowFullOptimization() {
        GraphManifest unit = pack(Onnx.mlp(4, 8, 2), MSE + ", memory: {strategy: Recompute}}")
                .graphs();

        assertThat(unit.optimization()).isEqualTo(Optimization.FULL);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            loss: {output: z}                                   | spec.gradient.loss.output        | 'y'
            loss: {output: y}                                   | spec.gradient.loss               | scalar
            loss: {output: n}                                   | spec.gradient.loss.output        | floating
            loss: {output: y, function: MSE, target: x}         | spec.gradient.loss.target        | x
            loss: {output: s}, withRespectTo: [q]               | spec.gradient.withRespectTo[0]   | q
            loss: {output: s}, withRespectTo: [x, 'q*']         | spec.gradient.withRespectTo[1]   | q*
            loss: {output: s}, withRespectTo: [apart]           | apart                            | unreachable
            """)
    void refusesModelsThatCannotBeDifferentiated(String gradient, String path, String message) {
        Refused refused = (Refused) tryPack(odd(), "type: Gradient, gradient: {" + gradient + "}");

        assertThat(refused.faults())
                .anySatisfy(fault -> assertThat(fault.path()).contains(path))
                .anySatisfy(fault -> assertThat(fault.message()).contains(message));
        assertThat(store.objects).isEmpty();
    }

    @Test
    void reportsAllFaultsAtOnce() {
        Refused refused =
                (Refused) tryPack(odd(), "type: Gradient, gradient: {loss: {output: z}, withRespectTo: [p, q]}");

        assertThat(refused.faults().stream().map(Fault::path))
                .contains(
                        "spec.gradient.loss.output",
                        "spec.gradient.withRespectTo[0]",
                        "spec.gradient.withRespectTo[1]");
    }

    @Test
    void refusesAnInvalidModelBeforeDifferentiation() {
        ModelProto cyclic = new Onnx()
                .input("x", ElementType.FLOAT, 3)
                .output("y", ElementType.FLOAT, 3)
                .node("Add", List.of("x", "b"), "a")
                .node("Neg", List.of("a"), "b")
                .node("Neg", List.of("gone"), "y")
                .build();

        Refused refused = (Refused) tryPack(cyclic, MSE + "}");

        assertThat(refused.faults().stream().map(Fault::message))
                .anyMatch(message -> message.contains("cycles"))
                .anyMatch(message -> message.contains("gone"));
        assertThat(store.objects).isEmpty();
    }

    @Test
    void unreachableZeroGivesZeroGradients() {
        GraphManifest unit = pack(
                        odd(),
                        "type: Gradient, gradient: {loss: {output: s}, withRespectTo: [x, apart], unreachable: Zero}")
                .graphs();

        assertThat(names(unit.outputs())).contains("x_grad", "apart_grad");
    }

    /** A model with a scalar s, a vector y, an integer n, and an input that only its own output depends on. */
    private static ModelProto odd() {
        return new Onnx()
                .input("x", ElementType.FLOAT, 3)
                .input("apart", ElementType.FLOAT, 3)
                .output("s", ElementType.FLOAT)
                .output("y", ElementType.FLOAT, 3)
                .output("n", ElementType.INT64, 1)
                .output("alone", ElementType.FLOAT, 3)
                .node("Mul", List.of("x", "x"), "y")
                .node("ReduceSum", List.of("y"), "s", Onnx.integer("keepdims", 0))
                .node("Shape", List.of("x"), "n")
                .node("Neg", List.of("apart"), "alone")
                .build();
    }
}
