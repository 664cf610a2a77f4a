package io.knabla.functions.compiler.autodiff.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.rules.ScanBuilder.ScanAxis;
import io.knabla.functions.compiler.autodiff.rules.ScanBuilder.SlicedTensor;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Body;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the derivative rules of If, Scan and Loop. */
class ControlFlowTest {
    /** One branch uses both values, the other only one; sin(x) is also in the outer graph. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void choice(long condition) {
        new RuleHarness()
                .fixed(NdArray.scalar(ElementType.BOOL, condition))
                .normal(2, 3)
                .normal(3)
                .symbolic(1, 0)
                .check((code, in) -> {
                    Value around = code.op("Sin", in.get(1));
                    Body then = body(code, List.of(), _ -> List.of(code.mul(code.op("Tanh", in.get(1)), in.get(2))));
                    Body otherwise = body(code, List.of(), _ -> List.of(code.square(code.op("Sin", in.get(1)))));
                    var spec = new Op.Spec(
                            "",
                            "",
                            "If",
                            Attributes.NONE,
                            List.of(in.get(0)),
                            Map.of("then_branch", then, "else_branch", otherwise));
                    return List.of(code.builder().op(spec, 1).output(), around);
                });
    }

    /** h = tanh(W·h + x), with every state as an output; W is a capture. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void scan(boolean backwards) {
        new RuleHarness()
                .normal(2, 3)
                .normal(4, 2, 3)
                .normal(3, 3)
                .symbolic(0, 0)
                .symbolic(1, 0, 1)
                .check((code, in) -> ScanBuilder.build(
                        code.builder(),
                        List.of(in.get(0)),
                        List.of(new SlicedTensor(in.get(1), new ScanAxis(0, backwards))),
                        List.of(new ScanAxis(0, backwards)),
                        (carried, slices) -> {
                            Value h = code.op("Tanh", code.add(code.matmul(carried.get(0), in.get(2)), slices.get(0)));
                            return List.of(h, code.square(h));
                        }));
    }

    /** Differentiates with respect to the sliced tensor, with no carried value. */
    @Test
    void scanThatCarriesNothing() {
        new RuleHarness()
                .normal(4, 2)
                .check((code, in) -> ScanBuilder.build(
                        code.builder(),
                        List.of(),
                        List.of(new SlicedTensor(in.get(0), ScanAxis.FORWARDS)),
                        List.of(ScanAxis.BACKWARDS),
                        (_, slices) -> List.of(code.exp(slices.get(0)))));
    }

    /** x = x·w + i for a number of steps known at run time only. */
    @ParameterizedTest
    @ValueSource(longs = {1, 3})
    void loop(long trips) {
        new RuleHarness()
                .fixed(NdArray.scalar(ElementType.INT64, trips))
                .normal(2)
                .normal(2)
                .symbolic(1, 0)
                .symbolic(2, 0)
                .check((code, in) -> loop(code, in.get(0), null, in));
    }

    /** Iterates until the sum is large enough. */
    @Test
    void loopUntil() {
        new RuleHarness()
                .fixed(NdArray.scalar(ElementType.BOOL, 1))
                .differentiated(new int[] {2}, 1, 0.5)
                .differentiated(new int[] {2}, 1.5, 1.2)
                .check((code, in) -> loop(code, null, in.get(0), in));
    }

    private static List<Value> loop(Ops code, Value trips, Value condition, List<Value> in) {
        Body body = body(
                code,
                List.of(
                        TensorType.of(ElementType.INT64, Shape.SCALAR),
                        TensorType.of(ElementType.BOOL, Shape.SCALAR),
                        in.get(1).type()),
                given -> {
                    Value x = code.mul(given.get(2), in.get(2));
                    Value y = code.add(x, code.castLike(given.get(0), x));
                    Value more = trips != null ? given.get(1) : code.less(code.sumAll(y), code.scalar(y, 9));
                    return List.of(more, y, code.square(y));
                });
        var spec = new Op.Spec(
                "", "", "Loop", Attributes.NONE, Arrays.asList(trips, condition, in.get(1)), Map.of("body", body));
        return code.builder().op(spec, 2).outputs();
    }

    private static Body body(
            Ops code, List<TensorType> types, java.util.function.Function<List<Value>, List<Value>> inside) {
        return code.builder().body(types, inside);
    }

    /** Gradient of an initializer that only a body uses. */
    @Test
    void initializerInABody() {
        var builder = new io.knabla.functions.compiler.ir.Builder(20);
        var code = new Ops(builder);
        Value x = builder.input("x", TensorType.of(ElementType.FLOAT, Shape.of(3, 2)));
        Value w = builder.initializer(NdArray.floats(new int[] {2}, 2, 3).toProto("w"));
        Value h = ScanBuilder.build(
                        builder,
                        List.of(code.fill(code.ints(2), ElementType.FLOAT, 1)),
                        List.of(new SlicedTensor(x, ScanAxis.FORWARDS)),
                        List.of(),
                        (carried, slices) -> List.of(code.add(code.mul(carried.getFirst(), w), slices.getFirst())))
                .getFirst();
        var dag = new io.knabla.functions.compiler.ir.Dag(
                builder, Map.of("x", x), Map.of("y", code.sumAll(h)), Map.of("w", w), Map.of());

        var gradient =
                Transforms.valueAndGradient(dag, "y", List.of(new GradientTarget("w", w)), UnreachablePolicy.REFUSE);

        NdArray zeros = NdArray.floats(new int[] {3, 2}, 0, 0, 0, 0, 0, 0);
        // y = w³ summed, where nothing is added.
        assertThat(Interpreter.run(gradient, Map.of("x", zeros)).get("w_grad").reals())
                .containsExactly(12, 27);
    }
}
