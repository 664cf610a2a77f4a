package io.knabla.functions.compiler.interpreter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Body;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares whole graphs with control flow with ONNX Runtime. */
class DagEvaluatorTest {
    private static final TensorType ROW = TensorType.of(ElementType.FLOAT, Shape.of(3));
    private static final TensorType ROWS =
            TensorType.of(ElementType.FLOAT, new Shape(List.of(new Dim.Symbol("n"), Dim.of(3))));

    private final Builder builder = new Builder(20);
    private final Ops code = new Ops(builder);

    private Dag dag(Map<String, Value> inputs, Map<String, Value> outputs) {
        return new Dag(builder, inputs, outputs, Map.of(), Map.of());
    }

    private static void agree(Dag dag, Map<String, NdArray> inputs) throws Exception {
        Map<String, NdArray> expected = OnnxRuntime.run(Exporter.write(dag), inputs);
        Map<String, NdArray> found = DagEvaluator.run(dag, inputs);
        assertThat(found).containsOnlyKeys(expected.keySet());
        expected.forEach((name, array) -> EvaluatorAgreesTest.close(name, found.get(name), array, 1e-6));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, 1})
    void takesOneBranch(double sign) throws Exception {
        Value x = builder.input("x", ROW);
        Value positive = code.greater(code.sumAll(x), code.scalar(x, 0));
        Body yes = builder.body(List.of(), _ -> List.of(code.exp(x)));
        Body no = builder.body(List.of(), _ -> List.of(code.neg(x)));
        var choice = new Op.Spec(
                "", "", "If", Attributes.NONE, List.of(positive), Map.of("then_branch", yes, "else_branch", no));
        Value y = builder.op(choice, 1).output();

        agree(
                dag(Map.of("x", x), Map.of("y", y)),
                Map.of("x", NdArray.floats(new int[] {3}, sign, 2 * sign, 3 * sign)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void scanCarriesStateAndStacksOutputs(int rows) throws Exception {
        Value x = builder.input("x", ROWS);
        Body body = builder.body(List.of(ROW, ROW), given -> {
            Value sum = code.add(given.get(0), given.get(1));
            return List.of(sum, code.mul(sum, given.get(1)));
        });
        var scan = new Op.Spec(
                "",
                "",
                "Scan",
                Attributes.of("num_scan_inputs", 1)
                        .with("scan_input_directions", List.of(1L))
                        .with("scan_output_axes", List.of(1L)),
                List.of(code.zeros(code.slice(code.reshape(x, -1), 0, 0, 3)), x),
                Map.of("body", body));
        Op made = builder.op(scan, 2);
        double[] values = new java.util.Random(1).doubles(3L * rows, -1, 1).toArray();

        agree(
                dag(Map.of("x", x), Map.of("last", made.output(0), "all", made.output(1))),
                Map.of("x", NdArray.floats(new int[] {rows, 3}, values)));
    }

    @Test
    void loopRunsUntilConditionFails() throws Exception {
        Value x = builder.input("x", ROW);
        Body body = builder.body(
                List.of(
                        TensorType.of(ElementType.INT64, Shape.SCALAR),
                        TensorType.of(ElementType.BOOL, Shape.SCALAR),
                        ROW),
                given -> {
                    Value next = code.mul(given.get(2), code.scalar(x, 2));
                    Value small = code.less(code.sumAll(next), code.scalar(x, 100));
                    return List.of(small, next, code.add(next, x));
                });
        var loop = new Op.Spec(
                "",
                "",
                "Loop",
                Attributes.NONE,
                java.util.Arrays.asList(code.integer(20), null, x),
                Map.of("body", body));
        Op made = builder.op(loop, 2);

        agree(
                dag(Map.of("x", x), Map.of("last", made.output(0), "all", made.output(1))),
                Map.of("x", NdArray.floats(new int[] {3}, 1, 2, 3)));
    }

    @Test
    void doublePrecisionReachesConstantsAndCasts() {
        Value x = builder.input("x", ROW);
        Value y = code.cast(code.mul(x, code.scalar(x, 0.1)), ElementType.FLOAT);
        Value z = code.div(code.cast(code.cast(y, ElementType.DOUBLE), ElementType.FLOAT), code.scalar(x, 3));

        NdArray found = DagEvaluator.runInDouble(
                        dag(Map.of("x", x), Map.of("z", z)), Map.of("x", NdArray.floats(new int[] {3}, 1, 2, 3)))
                .get("z");

        assertThat(found.element()).isEqualTo(ElementType.DOUBLE);
        assertThat(found.real(0)).isEqualTo((double) 0.1f / 3);
    }

    @Test
    void namesMissingInputsAndUnsupportedOperators() {
        Value x = builder.input("x", ROW);
        Value noise = code.op("RandomNormalLike", x);

        assertThatThrownBy(() -> DagEvaluator.run(dag(Map.of("x", x), Map.of("y", code.exp(x))), Map.of()))
                .hasMessage("input 'x' is missing");
        assertThatThrownBy(() -> DagEvaluator.run(
                        dag(Map.of("x", x), Map.of("y", noise)), Map.of("x", NdArray.floats(new int[] {3}, 1, 2, 3))))
                .hasMessageContaining("RandomNormalLike")
                .hasMessageContaining("is not evaluated");
    }
}
