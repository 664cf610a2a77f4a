package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;

/** Kernels of ScatterElements and ScatterND, which write elements at indices. */
final class Scatters {
    private Scatters() {}

    static void register(Map<String, Kernel> table) {
        table.put("ScatterElements", (Kernel.SingleOutput) Scatters::elements);
        table.put("ScatterND", (Kernel.SingleOutput) Scatters::nd);
    }

    private static NdArray elements(Call call) {
        int[] positions = Gathers.positions(call);
        return scattered(call, positions.length, i -> positions[i]);
    }

    private static NdArray nd(Call call) {
        NdArray x = call.input(0);
        int depth = call.input(1).dim(-1);
        int block = Dims.product(x.dims(), depth, x.rank());
        int[] starts = Gathers.starts(x, call.input(1), 0);
        return scattered(call, starts.length * block, i -> starts[i / block] + i % block);
    }

    private static NdArray scattered(Call call, int count, IntUnaryOperator to) {
        NdArray x = call.input(0);
        NdArray updates = call.input(2);
        call.checkedDims(x.dims());
        if (updates.size() != count) {
            throw new EvaluationException("%d updates for %d places".formatted(updates.size(), count));
        }
        String reduction = call.text("reduction", "none");
        if (x.element().isFloat()) {
            double[] values = x.reals().clone();
            DoubleBinaryOperator reduce = reals(reduction);
            for (int i = 0; i < count; i++) {
                int at = to.applyAsInt(i);
                values[at] = reduce.applyAsDouble(values[at], updates.real(i));
            }
            return NdArray.reals(x.element(), x.dims(), values);
        }
        long[] values = x.whole().clone();
        LongBinaryOperator reduce = whole(reduction, x.element());
        for (int i = 0; i < count; i++) {
            int at = to.applyAsInt(i);
            values[at] = reduce.applyAsLong(values[at], updates.whole(i));
        }
        return NdArray.whole(x.element(), x.dims(), values);
    }

    private static DoubleBinaryOperator reals(String reduction) {
        return switch (reduction) {
            case "none" -> (old, update) -> update;
            case "add" -> Double::sum;
            case "mul" -> (old, update) -> old * update;
            case "max" -> Math::max;
            case "min" -> Math::min;
            default -> throw new EvaluationException("reduction " + reduction);
        };
    }

    private static LongBinaryOperator whole(String reduction, ElementType element) {
        return switch (reduction) {
            case "none" -> (old, update) -> update;
            case "add" -> element == ElementType.BOOL ? (old, update) -> old | update : Long::sum;
            case "mul" -> (old, update) -> old * update;
            case "max" -> Math::max;
            case "min" -> Math::min;
            default -> throw new EvaluationException("reduction " + reduction);
        };
    }
}
