package io.knabla.functions.compiler.autodiff.replay;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnxruntime.OrtException;
import io.knabla.functions.compiler.autodiff.GradientOperator;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.TensorProtos;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.optimize.quantize.HalfError;
import io.knabla.functions.compiler.optimize.quantize.HalfPass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whole models in half precision: ONNX Runtime loads each on the CPU and computes nearly what it did in float32. */
class HalfModelsTest {
    private static final Path BENCHMARKS =
            Path.of("../../runtime/bench/harness/src/main/resources/autodiff").toAbsolutePath();

    /** Of an output's norm; half floats have a relative rounding error of 5e-4. */
    private static final double TOLERANCE = 1e-2;

    private static final int OPEN_SIZE = 2;

    /** Twelve of the blocks of gpt2.onnx, with vectors so wide that it takes a minute. */
    private static final String TWELVE_BLOCKS = "gpt12.onnx";

    /** A hundred million weights take half a minute; small models of their families are among the exported ones. */
    private static final Set<String> THOROUGH = Set.of("bert.onnx", "gpt2.onnx");

    @TestFactory
    Stream<DynamicTest> exportedModels() {
        return Fixtures.read("/families/families.zip").stream()
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> check(one.model(), one.inputs())));
    }

    /** The benchmarks' models come without weights. */
    @TestFactory
    Stream<DynamicTest> benchmarks() throws IOException {
        return Files.list(BENCHMARKS)
                .filter(file -> file.toString().endsWith(".onnx") && !file.endsWith(TWELVE_BLOCKS))
                .filter(file -> Boolean.getBoolean("knabla.thorough")
                        || !THOROUGH.contains(file.getFileName().toString()))
                .sorted()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> {
                    ModelProto model = filled(ModelProto.parseFrom(Files.readAllBytes(file)));
                    check(model, inputs(model));
                }));
    }

    private static void check(ModelProto model, Map<String, NdArray> inputs) throws OrtException {
        Dag full = GradientOperator.expand(Replay.read(model));
        HalfPass.Result half = HalfPass.of(full);
        ModelProto written = Exporter.write(half.dag());

        HalfError error =
                HalfError.of(OnnxRuntime.run(Exporter.write(full), inputs), OnnxRuntime.run(written, inputs), 0);

        assertThat(error)
                .isInstanceOfSatisfying(
                        HalfError.Measured.class,
                        measured -> assertThat(measured.relative()).isLessThan(TOLERANCE));
        assertThat(half.half()).isPositive();
    }

    private static ModelProto filled(ModelProto model) {
        GraphProto.Builder graph = model.getGraph().toBuilder();
        var random = new Random(1);
        for (int i = 0; i < graph.getInitializerCount(); i++) {
            TensorProto tensor = graph.getInitializer(i);
            if (TensorProtos.element(tensor) == ElementType.FLOAT
                    && tensor.getRawData().isEmpty()
                    && tensor.getFloatDataCount() == 0) {
                graph.setInitializer(i, normal(tensor, random));
            }
        }
        return model.toBuilder().setGraph(graph).build();
    }

    private static TensorProto normal(TensorProto tensor, Random random) {
        int[] dims = tensor.getDimsList().stream().mapToInt(Math::toIntExact).toArray();
        int size = Math.toIntExact(TensorProtos.elements(tensor).orElseThrow());
        double scale = tensor.getName().endsWith("running_var") ? 0 : 0.05;
        double mean = scale == 0 ? 1 : 0;
        double[] values = random.doubles(size, -1, 1).map(x -> mean + scale * x).toArray();
        return NdArray.floats(dims, values).toProto(tensor.getName());
    }

    private static Map<String, NdArray> inputs(ModelProto model) {
        var inputs = new LinkedHashMap<String, NdArray>();
        var random = new Random(2);
        Dag dag = Replay.read(model);
        dag.inputs().forEach((name, value) -> inputs.put(name, input(value.type(), random)));
        return inputs;
    }

    private static NdArray input(TensorType type, Random random) {
        int[] dims = type.shape().orElseThrow().dims().stream()
                .mapToInt(dim -> Math.toIntExact(dim.or(OPEN_SIZE)))
                .toArray();
        int size = java.util.Arrays.stream(dims).reduce(1, Math::multiplyExact);
        return type.element() == ElementType.FLOAT
                ? NdArray.floats(dims, random.doubles(size, -1, 1).toArray())
                : NdArray.whole(type.element(), dims, random.longs(size, 0, 10).toArray());
    }
}
