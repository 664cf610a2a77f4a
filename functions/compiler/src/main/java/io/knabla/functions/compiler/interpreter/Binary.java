package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;

/** Kernels of elementwise operators with two broadcast inputs; more inputs are folded pairwise. */
final class Binary {
    private Binary() {}

    static void register(Map<String, Kernel> table) {
        folded(table, "Add", (a, b) -> a + b, (a, b) -> a + b);
        folded(table, "Sub", (a, b) -> a - b, (a, b) -> a - b);
        folded(table, "Mul", (a, b) -> a * b, (a, b) -> a * b);
        folded(table, "Div", (a, b) -> a / b, (a, b) -> a / b);
        folded(table, "Sum", (a, b) -> a + b, (a, b) -> a + b);
        folded(table, "Max", Math::max, Math::max);
        folded(table, "Min", Math::min, Math::min);
        folded(table, "PRelu", (x, s) -> x < 0 ? s * x : x, (x, s) -> x < 0 ? s * x : x);
        table.put("Mean", (Kernel.SingleOutput) Binary::mean);
        table.put("Pow", (Kernel.SingleOutput) Binary::pow);
        table.put("Mod", (Kernel.SingleOutput) Binary::mod);
        table.put("Where", (Kernel.SingleOutput) Binary::where);
        bits(table);
        comparing(table);
    }

    private static void bits(Map<String, Kernel> table) {
        integers(table, "BitwiseAnd", (a, b) -> a & b);
        integers(table, "BitwiseOr", (a, b) -> a | b);
        integers(table, "BitwiseXor", (a, b) -> a ^ b);
        integers(table, "And", (a, b) -> a & b);
        integers(table, "Or", (a, b) -> a | b);
        integers(table, "Xor", (a, b) -> a ^ b);
        table.put("BitShift", (Kernel.SingleOutput) call -> whole(
                call,
                call.text("direction", "").equals("LEFT")
                        ? (a, b) -> b > 63 ? 0 : a << b
                        : (a, b) -> b > 63 ? 0 : a >>> b));
    }

    private interface Comparison {
        boolean holds(int sign);
    }

    private static void comparing(Map<String, Kernel> table) {
        compare(table, "Equal", sign -> sign == 0);
        compare(table, "Less", sign -> sign == -1);
        compare(table, "Greater", sign -> sign == 1);
        compare(table, "LessOrEqual", sign -> sign == -1 || sign == 0);
        compare(table, "GreaterOrEqual", sign -> sign == 1 || sign == 0);
    }

    private static void compare(Map<String, Kernel> table, String op, Comparison comparison) {
        table.put(op, (Kernel.SingleOutput) call -> {
            Pair pair = Pair.of(call, call.input(0), call.input(1));
            return call.whole(ElementType.BOOL, pair.dims, i -> comparison.holds(pair.sign(i)) ? 1 : 0);
        });
    }

    /** Two operands, indexed by the positions of their broadcast result. */
    record Pair(NdArray a, NdArray b, int[] dims, IntUnaryOperator left, IntUnaryOperator right) {
        /** No order: one operand is NaN. */
        private static final int UNORDERED = 2;

        static Pair of(Call call, NdArray a, NdArray b) {
            int[] dims = call.checkedDims(Dims.broadcast(a.dims(), b.dims()));
            return new Pair(a, b, dims, spread(a, dims), spread(b, dims));
        }

        int sign(int i) {
            if (!a.element().isFloat()) {
                return Long.compare(a.whole(left(i)), b.whole(right(i)));
            }
            double x = a.real(left(i));
            double y = b.real(right(i));
            return x < y ? -1 : x > y ? 1 : x == y ? 0 : UNORDERED;
        }

        int left(int i) {
            return left.applyAsInt(i);
        }

        int right(int i) {
            return right.applyAsInt(i);
        }
    }

    static IntUnaryOperator spread(NdArray operand, int[] dims) {
        if (Arrays.equals(operand.dims(), dims)) {
            return i -> i;
        }
        int[] positions = Dims.spread(operand.dims(), dims);
        return i -> positions[i];
    }

    static NdArray apply(Call call, NdArray a, NdArray b, DoubleBinaryOperator reals, LongBinaryOperator whole) {
        if (a.element() != b.element()) {
            throw new EvaluationException("operands of different types");
        }
        Pair p = Pair.of(call, a, b);
        return a.element().isFloat()
                ? call.reals(a.element(), p.dims, i -> reals.applyAsDouble(a.real(p.left(i)), b.real(p.right(i))))
                : call.whole(a.element(), p.dims, i -> whole.applyAsLong(a.whole(p.left(i)), b.whole(p.right(i))));
    }

    private static void folded(
            Map<String, Kernel> table, String op, DoubleBinaryOperator reals, LongBinaryOperator whole) {
        table.put(op, (Kernel.SingleOutput) call -> fold(call, reals, whole));
    }

    private static NdArray fold(Call call, DoubleBinaryOperator reals, LongBinaryOperator whole) {
        NdArray folded = call.input(0);
        for (int i = 1; i < call.inputs().size(); i++) {
            folded = apply(call, folded, call.input(i), reals, whole);
        }
        return folded;
    }

    private static NdArray mean(Call call) {
        NdArray sum = fold(call, (a, b) -> a + b, (a, b) -> a + b);
        int count = call.inputs().size();
        return call.reals(sum.element(), sum.dims(), i -> sum.real(i) / count);
    }

    private static void integers(Map<String, Kernel> table, String op, LongBinaryOperator whole) {
        table.put(op, (Kernel.SingleOutput) call -> whole(call, whole));
    }

    private static NdArray whole(Call call, LongBinaryOperator whole) {
        if (call.input(0).element().isFloat()) {
            throw new EvaluationException("works on integers only");
        }
        return apply(call, call.input(0), call.input(1), (a, b) -> 0, whole);
    }

    /** The exponent may be of another type than the base. */
    private static NdArray pow(Call call) {
        NdArray base = call.input(0);
        NdArray exponent = call.input(1);
        Pair p = Pair.of(call, base, exponent);
        if (base.element().isFloat()) {
            return call.reals(base.element(), p.dims, i -> power(base.real(p.left(i)), exponent.real(p.right(i))));
        }
        return call.whole(
                base.element(),
                p.dims,
                i -> exponent.element().isFloat()
                        ? (long) power(base.real(p.left(i)), exponent.real(p.right(i)))
                        : power(base.whole(p.left(i)), exponent.whole(p.right(i))));
    }

    /** Follows C's pow: 1 to any power is 1, and so is -1 to an infinite power. */
    private static double power(double base, double exponent) {
        return base == 1 || base == -1 && Double.isInfinite(exponent) ? 1 : Math.pow(base, exponent);
    }

    private static long power(long base, long exponent) {
        if (exponent < 0) {
            return (long) Math.pow(base, exponent);
        }
        long power = 1;
        long square = base;
        for (long left = exponent; left > 0; left >>= 1) {
            power *= (left & 1) == 1 ? square : 1;
            square *= square;
        }
        return power;
    }

    private static NdArray mod(Call call) {
        if (call.integer("fmod", 0) == 1) {
            return apply(call, call.input(0), call.input(1), (a, b) -> a % b, (a, b) -> a % b);
        }
        if (call.input(0).element().isFloat()) {
            throw new EvaluationException("Mod of floats needs fmod = 1");
        }
        return apply(call, call.input(0), call.input(1), (a, b) -> 0, Math::floorMod);
    }

    private static NdArray where(Call call) {
        NdArray condition = call.input(0);
        NdArray a = call.input(1);
        NdArray b = call.input(2);
        if (a.element() != b.element()) {
            throw new EvaluationException("branches of different types");
        }
        int[] dims = call.checkedDims(Dims.broadcast(condition.dims(), Dims.broadcast(a.dims(), b.dims())));
        IntUnaryOperator c = spread(condition, dims);
        IntUnaryOperator left = spread(a, dims);
        IntUnaryOperator right = spread(b, dims);
        return a.element().isFloat()
                ? call.reals(
                        a.element(),
                        dims,
                        i -> condition.truth(c.applyAsInt(i))
                                ? a.real(left.applyAsInt(i))
                                : b.real(right.applyAsInt(i)))
                : call.whole(
                        a.element(),
                        dims,
                        i -> condition.truth(c.applyAsInt(i))
                                ? a.whole(left.applyAsInt(i))
                                : b.whole(right.applyAsInt(i)));
    }
}
