package io.knabla.functions.compiler.interpreter;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares zeros, infinities, NaN and the extremes of the range with ONNX Runtime. */
class SpecialValuesTest {
    private static final double[] VALUES = {
        0.0,
        -0.0,
        1,
        -1,
        0.5,
        -0.5,
        2,
        -2,
        Float.MIN_VALUE,
        Float.MIN_NORMAL,
        1e-4,
        -1e-4,
        30,
        -30,
        88,
        -88,
        120,
        -120,
        1e10,
        -1e10,
        Float.MAX_VALUE,
        -Float.MAX_VALUE,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.NaN
    };

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Abs",
                "Neg",
                "Exp",
                "Log",
                "Sqrt",
                "Reciprocal",
                "Ceil",
                "Floor",
                "Round",
                "Tanh",
                "Atan",
                "Sin",
                "Cos",
                "Asin",
                "Acos",
                "Sinh",
                "Cosh",
                "Asinh",
                "Acosh",
                "Atanh",
                "Erf",
                "Sigmoid",
                "Softplus",
                "Softsign",
                "Relu",
                "LeakyRelu",
                "Elu",
                "Selu",
                "Sign",
                "IsNaN",
                "IsInf",
                "HardSigmoid",
                "HardSwish",
                "ThresholdedRelu",
                "Identity"
            })
    void unaryOperatorsAgree(String op) throws Exception {
        check(op, List.of(NdArray.floats(new int[] {VALUES.length}, VALUES)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Add",
                "Sub",
                "Mul",
                "Div",
                "Pow",
                "Max",
                "Min",
                "Less",
                "Greater",
                "Equal",
                "LessOrEqual",
                "PRelu"
            })
    void binaryOperatorsAgree(String op) throws Exception {
        check(
                op,
                List.of(
                        NdArray.floats(new int[] {VALUES.length, 1}, VALUES),
                        NdArray.floats(new int[] {VALUES.length}, VALUES)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ReduceSum",
                "ReduceMax",
                "ReduceMin",
                "ReduceMean",
                "ReduceLogSumExp",
                "Softmax",
                "LogSoftmax",
                "CumSum"
            })
    void reductionsAgree(String op) throws Exception {
        double inf = Double.POSITIVE_INFINITY;
        NdArray x = NdArray.floats(new int[] {5, 2}, 1, 2, -inf, 3, inf, 3, 1000, -1000, Double.NaN, 1);
        NdArray axis = op.equals("CumSum") ? NdArray.scalar(ElementType.INT64, 1) : NdArray.longs(1);
        check(op, op.contains("Softmax") ? List.of(x) : List.of(x, axis));
    }

    private static void check(String op, List<NdArray> inputs) throws Exception {
        NdArray expected = OnnxRuntime.run(op, List.of(), inputs, 1, 20).getFirst();
        NdArray found = Evaluator.evaluate(op, Map.of(), inputs).orElseThrow().getFirst();
        var differences = new ArrayList<String>();
        for (int i = 0; i < expected.size(); i++) {
            double x = found.real(i);
            double y = expected.real(i);
            boolean same = Double.compare(x, y) == 0 || Math.abs(x - y) <= 1e-5 * Math.abs(y) + 1e-7;
            if (!same) {
                differences.add("at %d found %s, the engine %s".formatted(i, x, y));
            }
        }
        assertThat(differences).as(op + " of " + Arrays.toString(VALUES)).isEmpty();
    }
}
