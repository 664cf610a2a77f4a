package io.knabla.functions.compiler.optimize.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnxruntime.OrtException;
import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Merges products in two layers, each with one shared input; the first layer feeds the second. */
class ProjectionMergerTest {
    private static final int INNER = 256;
    private static final double CLOSE = 1e-5;

    private final Builder builder = new Builder(20);
    private final Ops code = new Ops(builder);
    private final Random random = new Random(3);
    private final Map<String, Value> weights = new LinkedHashMap<>();

    @Test
    void mergesProducts() throws OrtException {
        Dag apart = dag(1, this::product);

        Dag merged = ProjectionMerger.apply(apart, List.of());

        assertThat(count(merged, "MatMul")).isEqualTo(2);
        assertThat(count(merged, "Split")).isEqualTo(2);
        same(apart, merged, 1);
    }

    @Test
    void mergesTransposedMatrices() throws OrtException {
        BiFunction<Value, String, Value> linear =
                (x, name) -> code.op("MatMul", x, code.transpose(weight(name, width(name), INNER), 1, 0));
        Dag apart = dag(1, linear);

        Dag merged = ProjectionMerger.apply(apart, List.of());

        assertThat(count(merged, "MatMul")).isEqualTo(2);
        assertThat(count(merged, "Transpose")).isEqualTo(2);
        same(apart, merged, 1);
    }

    @Test
    void mergesProductsWithBias() throws OrtException {
        BiFunction<Value, String, Value> linear = (x, name) -> code.op(
                "Gemm",
                Attributes.of("transB", 1).with("alpha", 0.5),
                x,
                weight(name, width(name), INNER),
                weight(name + ".bias", width(name)));
        Dag apart = dag(1, linear);

        Dag merged = ProjectionMerger.apply(apart, List.of());

        assertThat(count(merged, "Gemm")).isEqualTo(2);
        same(apart, merged, 1);
    }

    @Test
    void gradientOfTheInputStaysTheSame() throws OrtException {
        Dag apart = dag(1, this::product);
        Dag merged = ProjectionMerger.apply(apart, List.of());

        same(differentiated(apart), differentiated(merged), 1);
    }

    @Test
    void keepsGradientTargets() {
        Dag dag = dag(1, this::product);

        Dag merged = ProjectionMerger.apply(dag, List.of(weights.get("k0")));

        assertThat(count(merged, "MatMul")).as("three, and one").isEqualTo(4);
        assertThat(ProjectionMerger.decide(dag, List.of(weights.get("k0")))
                        .getFirst()
                        .reason())
                .contains("'k0' is a gradient target");
    }

    @Test
    void keepsWeightsWithOtherUses() {
        Dag dag = dag(1, this::product);
        var outputs = new LinkedHashMap<>(dag.outputs());
        outputs.put("tied", code.op("Tanh", weights.get("q0")));

        MergeDecision decision =
                ProjectionMerger.decide(dag.withOutputs(outputs), List.of()).getFirst();

        assertThat(decision.merge()).isFalse();
        assertThat(decision.reason()).contains("'q0' is used elsewhere, too");
    }

    @Test
    void keepsExternalWeights() {
        Dag dag = dag(1, (x, name) -> code.op("MatMul", x, builder.initializer(outside(width(name)))));

        MergeDecision decision = ProjectionMerger.decide(dag, List.of()).getFirst();

        assertThat(decision.merge()).isFalse();
        assertThat(decision.reason()).contains("lies outside the model file");
    }

    @Test
    void keepsProductsOfManyRows() {
        Dag dag = dag(4096, this::product);

        assertThat(ProjectionMerger.apply(dag, List.of())).isSameAs(dag);
    }

    private Value product(Value x, String name) {
        return code.op("MatMul", x, weight(name, INNER, width(name)));
    }

    /** Different widths expose a wrong order. */
    private static int width(String name) {
        return name.startsWith("v") ? 300 : INNER;
    }

    private Dag dag(int rows, BiFunction<Value, String, Value> product) {
        var type = TensorType.of(ElementType.FLOAT, Shape.of(rows, INNER));
        Value x = builder.input("x", type);
        Value hidden = x;
        var outputs = new LinkedHashMap<String, Value>();
        for (int layer = 0; layer < 2; layer++) {
            Value q = product.apply(hidden, "q" + layer);
            Value k = product.apply(hidden, "k" + layer);
            outputs.put("value" + layer, code.op("Tanh", product.apply(hidden, "v" + layer)));
            hidden = code.mul(code.op("Tanh", q), k);
        }
        outputs.put("y", hidden);
        outputs.put("loss", code.reduceSum(hidden, List.of(0L, 1L), false));
        return new Dag(builder, Map.of("x", x), outputs, weights, Map.of());
    }

    private Value weight(String name, int... dims) {
        int size = Arrays.stream(dims).reduce(1, (a, b) -> a * b);
        double[] numbers = random.doubles(size, -0.1, 0.1).toArray();
        Value made = builder.initializer(NdArray.floats(dims, numbers).toProto(name));
        weights.put(name, made);
        return made;
    }

    private static TensorProto outside(int width) {
        return TensorProto.newBuilder()
                .setDataType(ElementType.FLOAT.number())
                .addDims(INNER)
                .addDims(width)
                .setDataLocation(TensorProto.DataLocation.EXTERNAL)
                .addExternalData(
                        StringStringEntryProto.newBuilder().setKey("location").setValue("w.bin"))
                .build();
    }

    private static Dag differentiated(Dag dag) {
        List<GradientTarget> x = List.of(new GradientTarget("x", dag.inputs().get("x")));
        return Transforms.valueAndGradient(dag, "loss", x, UnreachablePolicy.REFUSE);
    }

    private static long count(Dag dag, String type) {
        return dag.ops().stream().map(Op::type).filter(type::equals).count();
    }

    private void same(Dag before, Dag after, int rows) throws OrtException {
        double[] numbers = random.doubles((long) rows * INNER, -1, 1).toArray();
        Map<String, NdArray> feeds = Map.of("x", NdArray.floats(new int[] {rows, INNER}, numbers));
        Map<String, NdArray> expected = OnnxRuntime.run(Exporter.write(before), feeds);
        Map<String, NdArray> found = OnnxRuntime.run(Exporter.write(after), feeds);
        assertThat(found.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, array) -> {
            assertThat(found.get(name).dims()).as(name).isEqualTo(array.dims());
            for (int i = 0; i < array.size(); i++) {
                assertThat(found.get(name).real(i)).as("%s[%d]", name, i).isCloseTo(array.real(i), within(CLOSE));
            }
        });
    }
}
