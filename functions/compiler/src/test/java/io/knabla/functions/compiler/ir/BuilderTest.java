package io.knabla.functions.compiler.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnxruntime.OrtException;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Merging of equal operations, names and outputs on export, substitution, sums over broadcast axes. */
class BuilderTest {
    private final Builder builder = new Builder(20);
    private final Ops code = new Ops(builder);
    private final Value x = builder.input("x", vector(Dim.of(3)));

    @Test
    void mergesEqualOperations() {
        assertThat(code.exp(x)).isSameAs(code.exp(x)).isNotSameAs(code.log(x));
        assertThat(code.mul(x, 2)).isSameAs(code.mul(x, 2)).isNotSameAs(code.mul(x, 3));
    }

    @Test
    void keepsRandomOperationsSeparate() {
        Attributes like = Attributes.NONE;
        assertThat(code.op("RandomNormalLike", like, x)).isNotSameAs(code.op("RandomNormalLike", like, x));
    }

    @Test
    void keepsEqualInitializersSeparate() {
        TensorProto zeros = NdArray.floats(new int[] {3}, 0, 0, 0).toProto("");

        Value a = builder.initializer(zeros.toBuilder().setName("a").build());
        Value b = builder.initializer(zeros.toBuilder().setName("b").build());

        assertThat(a).isNotSameAs(b);
        assertThat(builder.constant(zeros)).isSameAs(builder.constant(zeros)).isNotSameAs(a);
    }

    @Test
    void bodyValuesAreNotVisibleOutside() {
        var inner = new AtomicReference<Value>();
        Value outside = code.exp(x);
        Body body = builder.body(List.of(x.type()), given -> {
            assertThat(code.exp(x)).isSameAs(outside);
            inner.set(code.log(given.getFirst()));
            return List.of(code.add(inner.get(), outside));
        });

        assertThat(body.outputs().getFirst().scope().outer()).isEqualTo(builder.root());
        assertThatThrownBy(() -> code.exp(inner.get())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void exportsInputsConstantsAndRepeatedValuesAsOutputs() throws OrtException {
        Value c = builder.initializer(NdArray.floats(new int[] {1}, 7).toProto("c"));
        Value y = code.exp(x);
        var outputs = new LinkedHashMap<String, Value>();
        outputs.put("same", x);
        outputs.put("y", y);
        outputs.put("again", y);
        outputs.put("constant", c);
        var dag = new Dag(builder, Map.of("x", x), outputs, Map.of("c", c), Map.of());

        Map<String, NdArray> found =
                OnnxRuntime.run(Exporter.write(dag), Map.of("x", NdArray.floats(new int[] {3}, 0, 0, 0)));

        assertThat(found.keySet()).containsExactly("same", "y", "again", "constant");
        assertThat(found.get("again").reals()).containsExactly(1, 1, 1);
        assertThat(found.get("constant").reals()).containsExactly(7);
    }

    @Test
    void keepsFileNamesAndMakesThemUnique() {
        var spec = Op.Spec.of("Exp", Attributes.NONE, List.of(x));
        Value named = builder.op(spec, 1, List.of("h"), List.of()).output();
        Value other = builder.op(Op.Spec.of("Log", Attributes.NONE, List.of(named)), 1, List.of("h"), List.of())
                .output();
        var dag = new Dag(builder, Map.of("x", x), Map.of("y", other), Map.of(), Map.of());

        ModelProto model = Exporter.write(dag);

        assertThat(model.getGraph().getNode(0).getOutput(0)).isEqualTo("h");
        assertThat(model.getGraph().getNode(1).getOutput(0)).isEqualTo("y");
    }

    @Test
    void substitutesInsideBodies() throws OrtException {
        Value condition = builder.input("go", TensorType.of(ElementType.BOOL, Shape.SCALAR));
        Body yes = builder.body(List.of(), _ -> List.of(code.exp(x)));
        Body no = builder.body(List.of(), _ -> List.of(code.neg(x)));
        var spec = new Op.Spec(
                "", "", "If", Attributes.NONE, List.of(condition), Map.of("then_branch", yes, "else_branch", no));
        Op choice = builder.op(spec, 1);
        assertThat(choice.captures()).containsExactly(x);
        var dag = new Dag(builder, Map.of("x", x, "go", condition), Map.of("y", choice.output()), Map.of(), Map.of());

        Dag doubled = Rewriter.substitute(dag, Map.of(x, code.mul(x, 2)));

        Map<String, NdArray> found = OnnxRuntime.run(
                Exporter.write(doubled),
                Map.of(
                        "x",
                        NdArray.floats(new int[] {3}, 1, 2, 3),
                        "go",
                        NdArray.whole(ElementType.BOOL, new int[] {}, 0)));
        assertThat(found.get("y").reals()).containsExactly(-2, -4, -6);
    }

    @ParameterizedTest
    @CsvSource({"'2,3','2,3'", "'2,3','3'", "'2,3','1,3'", "'2,3','2,1'", "'2,3',''", "'4,2,3','2,1'"})
    void unbroadcastsKnownAndUnknownSizesAlike(String from, String to) throws OrtException {
        int[] big = dims(from);
        int[] small = dims(to);
        NdArray fixed = summed(big, small, true);

        assertThat(fixed.dims()).isEqualTo(small);
        assertThat(summed(big, small, false).reals()).containsExactly(fixed.reals());
    }

    private static NdArray summed(int[] big, int[] small, boolean known) throws OrtException {
        var builder = new Builder(20);
        Value gradient = builder.input("g", type(big, known));
        Value target = builder.input("t", type(small, known));
        Value sum = new Ops(builder).unbroadcast(gradient, target);
        var dag = new Dag(builder, Map.of("g", gradient, "t", target), Map.of("s", sum), Map.of(), Map.of());
        int count = java.util.Arrays.stream(big).reduce(1, (a, b) -> a * b);
        double[] values =
                java.util.stream.IntStream.range(0, count).asDoubleStream().toArray();
        return OnnxRuntime.run(
                        Exporter.write(dag),
                        Map.of("g", NdArray.floats(big, values), "t", NdArray.filled(ElementType.FLOAT, small, 0)))
                .get("s");
    }

    private static TensorType type(int[] dims, boolean known) {
        List<Dim> shape = java.util.Arrays.stream(dims)
                .mapToObj(d -> known ? Dim.of(d) : Dim.UNKNOWN)
                .toList();
        return new TensorType(ElementType.FLOAT, Optional.of(new Shape(shape)));
    }

    private static int[] dims(String text) {
        return text.isEmpty()
                ? new int[0]
                : java.util.Arrays.stream(text.split(","))
                        .mapToInt(Integer::parseInt)
                        .toArray();
    }

    private static TensorType vector(Dim size) {
        return new TensorType(ElementType.FLOAT, Optional.of(new Shape(List.of(size))));
    }
}
