package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.apache.commons.numbers.gamma.Erf;

/** Kernels of elementwise operators with one input. */
final class Unary {
    private static final double SQRT_2_OVER_PI = Math.sqrt(2 / Math.PI);

    private Unary() {}

    static void register(Map<String, Kernel> table) {
        exponential(table);
        trigonometric(table);
        activations(table);
        shaped(table);
        both(table, "Abs", Math::abs, Math::abs);
        both(table, "Neg", x -> -x, x -> -x);
        both(table, "Sign", Math::signum, Long::signum);
        both(table, "Relu", x -> Math.max(x, 0.0), x -> Math.max(x, 0));
        table.put("Clip", (Kernel.SingleOutput) Unary::clip);
        test(table, "IsNaN", call -> Double::isNaN);
        test(table, "IsInf", Unary::infinite);
        table.put("Not", (Kernel.SingleOutput) call -> whole(call, ElementType.BOOL, x -> x == 0 ? 1 : 0));
        table.put("BitwiseNot", (Kernel.SingleOutput)
                call -> whole(call, call.input(0).element(), x -> ~x));
    }

    private static void exponential(Map<String, Kernel> table) {
        plain(table, "Exp", Math::exp);
        plain(table, "Log", Math::log);
        plain(table, "Sqrt", Math::sqrt);
        plain(table, "Reciprocal", x -> 1 / x);
        plain(table, "Erf", Erf::value);
        plain(table, "Ceil", Math::ceil);
        plain(table, "Floor", Math::floor);
        plain(table, "Round", Math::rint);
    }

    private static void trigonometric(Map<String, Kernel> table) {
        plain(table, "Sin", Math::sin);
        plain(table, "Cos", Math::cos);
        plain(table, "Tan", Math::tan);
        plain(table, "Asin", Math::asin);
        plain(table, "Acos", Math::acos);
        plain(table, "Atan", Math::atan);
        plain(table, "Sinh", Math::sinh);
        plain(table, "Cosh", Math::cosh);
        plain(table, "Tanh", Math::tanh);
        plain(table, "Asinh", Unary::asinh);
        plain(table, "Acosh", x -> Math.log(x + Math.sqrt(x - 1) * Math.sqrt(x + 1)));
        plain(table, "Atanh", x -> 0.5 * (Math.log1p(x) - Math.log1p(-x)));
    }

    private static void activations(Map<String, Kernel> table) {
        plain(table, "Sigmoid", Unary::sigmoid);
        plain(table, "Softplus", Unary::softplus);
        plain(table, "Softsign", x -> x / (1 + Math.abs(x)));
        plain(table, "HardSwish", x -> x * Math.clamp(x / 6 + 0.5, 0.0, 1.0));
        plain(table, "Mish", x -> x * Math.tanh(softplus(x)));
        real(table, "Gelu", Unary::gelu);
        real(table, "Swish", call -> scaledSigmoid(call.real("alpha", 1)));
    }

    private static void shaped(Map<String, Kernel> table) {
        real(table, "LeakyRelu", call -> leaky(call.real("alpha", 0.01f)));
        real(table, "Elu", call -> elu(1, call.real("alpha", 1), 1));
        real(
                table,
                "Selu",
                call -> elu(call.real("gamma", 1.0507009873554805f), call.real("alpha", 1.6732632423543772f), 1));
        real(table, "Celu", call -> elu(1, call.real("alpha", 1), call.real("alpha", 1)));
        real(table, "ThresholdedRelu", call -> above(call.real("alpha", 1)));
        real(table, "HardSigmoid", Unary::hardSigmoid);
        real(table, "Shrink", Unary::shrink);
    }

    static double sigmoid(double x) {
        double e = Math.exp(-Math.abs(x));
        return x >= 0 ? 1 / (1 + e) : Double.isNaN(x) ? x : e / (1 + e);
    }

    static double softplus(double x) {
        return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
    }

    private static double asinh(double x) {
        double a = Math.abs(x);
        // log1p keeps small arguments exact; a² is avoided for large ones.
        double magnitude = a > 1e100 ? Math.log(a) + Math.log(2) : Math.log1p(a + a * a / (1 + Math.sqrt(a * a + 1)));
        return Math.copySign(magnitude, x);
    }

    private static DoubleUnaryOperator gelu(Call call) {
        return call.text("approximate", "none").equals("tanh")
                ? x -> 0.5 * x * (1 + Math.tanh(SQRT_2_OVER_PI * (x + 0.044715 * x * x * x)))
                : x -> 0.5 * x * (1 + Erf.value(x / Math.sqrt(2)));
    }

    private static DoubleUnaryOperator scaledSigmoid(double alpha) {
        return x -> x * sigmoid(alpha * x);
    }

    private static DoubleUnaryOperator leaky(double alpha) {
        return x -> x < 0 ? alpha * x : x;
    }

    private static DoubleUnaryOperator elu(double gamma, double alpha, double width) {
        return x -> x < 0 ? gamma * alpha * Math.expm1(x / width) : gamma * x;
    }

    private static DoubleUnaryOperator above(double alpha) {
        return x -> x > alpha ? x : 0;
    }

    private static DoubleUnaryOperator hardSigmoid(Call call) {
        double alpha = call.real("alpha", 0.2f);
        double beta = call.real("beta", 0.5f);
        return x -> Math.max(0, Math.min(1, alpha * x + beta));
    }

    private static DoubleUnaryOperator shrink(Call call) {
        double lambda = call.real("lambd", 0.5f);
        double bias = call.real("bias", 0);
        return x -> x < -lambda ? x + bias : x > lambda ? x - bias : 0;
    }

    private static NdArray clip(Call call) {
        NdArray x = call.input(0);
        if (x.element().isFloat()) {
            double low = call.real(1, Double.NEGATIVE_INFINITY);
            double high = call.real(2, Double.POSITIVE_INFINITY);
            return map(call, v -> Math.min(Math.max(v, low), high));
        }
        long low = call.whole(1, Long.MIN_VALUE);
        long high = call.whole(2, Long.MAX_VALUE);
        return whole(call, x.element(), v -> Math.min(Math.max(v, low), high));
    }

    private interface Test {
        boolean holds(double x);
    }

    private static Test infinite(Call call) {
        boolean negative = call.integer("detect_negative", 1) == 1;
        boolean positive = call.integer("detect_positive", 1) == 1;
        return x -> positive && x == Double.POSITIVE_INFINITY || negative && x == Double.NEGATIVE_INFINITY;
    }

    private static void test(Map<String, Kernel> table, String op, Function<Call, Test> test) {
        table.put(op, (Kernel.SingleOutput) call -> {
            NdArray x = call.input(0);
            Test holds = test.apply(call);
            return call.whole(ElementType.BOOL, x.dims(), i -> holds.holds(x.real(i)) ? 1 : 0);
        });
    }

    private static void plain(Map<String, Kernel> table, String op, DoubleUnaryOperator function) {
        real(table, op, call -> function);
    }

    private static void real(Map<String, Kernel> table, String op, Function<Call, DoubleUnaryOperator> function) {
        table.put(op, (Kernel.SingleOutput) call -> map(call, function.apply(call)));
    }

    private static void both(
            Map<String, Kernel> table, String op, DoubleUnaryOperator ofReals, LongUnaryOperator ofWhole) {
        table.put(op, (Kernel.SingleOutput) call -> call.input(0).element().isFloat()
                ? map(call, ofReals)
                : whole(call, call.input(0).element(), ofWhole));
    }

    private static NdArray map(Call call, DoubleUnaryOperator function) {
        NdArray x = call.input(0);
        if (!x.element().isFloat()) {
            throw new EvaluationException("works on floats only");
        }
        return call.reals(x.element(), x.dims(), i -> function.applyAsDouble(x.real(i)));
    }

    private static NdArray whole(Call call, ElementType to, LongUnaryOperator function) {
        NdArray x = call.input(0);
        return call.whole(to, x.dims(), i -> function.applyAsLong(x.whole(i)));
    }
}
