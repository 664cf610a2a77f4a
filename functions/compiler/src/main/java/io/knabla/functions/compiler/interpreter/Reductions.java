package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;

/** Kernels of reductions, ArgMax and ArgMin. */
final class Reductions {
    private Reductions() {}

    static void register(Map<String, Kernel> table) {
        sums(table);
        put(table, "ReduceProd", new Folding(1, (a, x) -> a * x, (a, x) -> a * x));
        table.put("ReduceMax", (Kernel.SingleOutput) call -> extreme(call, true));
        table.put("ReduceMin", (Kernel.SingleOutput) call -> extreme(call, false));
        table.put("ReduceLogSumExp", (Kernel.SingleOutput) Reductions::logSumExp);
        table.put("ReduceMean", (Kernel.SingleOutput) Reductions::mean);
        table.put("ArgMax", (Kernel.SingleOutput) call -> arg(call, true));
        table.put("ArgMin", (Kernel.SingleOutput) call -> arg(call, false));
    }

    private static void sums(Map<String, Kernel> table) {
        var sum = new Folding(0, (a, x) -> a + x, (a, x) -> a + x);
        var magnitudes = new Folding(0, (a, x) -> a + Math.abs(x), (a, x) -> a + Math.abs(x));
        var squares = new Folding(0, (a, x) -> a + x * x, (a, x) -> a + x * x);
        put(table, "ReduceSum", sum);
        put(table, "ReduceL1", magnitudes);
        put(table, "ReduceSumSquare", squares);
        table.put("ReduceL2", (Kernel.SingleOutput) call -> after(call, squares, Math::sqrt));
        table.put("ReduceLogSum", (Kernel.SingleOutput) call -> after(call, sum, Math::log));
    }

    private record Folding(long start, DoubleBinaryOperator reals, LongBinaryOperator whole) {}

    /**
     * @param target position in the result for each input position
     * @param kept dims with 1 for every reduced axis
     */
    record Plan(int[] target, int[] kept, int[] dims, boolean nothing) {
        static Plan of(Call call) {
            NdArray x = call.input(0);
            boolean none = !call.has(1) || call.input(1).size() == 0;
            boolean nothing = none && call.integer("noop_with_empty_axes", 0) == 1;
            int[] axes = none ? call.axes(Integer.MAX_VALUE, x.rank()) : call.axes(1, x.rank());
            return of(call, x, nothing ? new int[0] : axes, nothing);
        }

        static Plan of(Call call, NdArray x, int[] axes, boolean nothing) {
            boolean[] gone = new boolean[x.rank()];
            for (int axis : axes) {
                gone[axis] = true;
            }
            int[] kept = x.dims();
            for (int d = 0; d < kept.length; d++) {
                kept[d] = gone[d] ? 1 : kept[d];
            }
            int[] strides = Dims.strides(kept);
            for (int d = 0; d < kept.length; d++) {
                strides[d] = gone[d] ? 0 : strides[d];
            }
            boolean keep = call.integer("keepdims", 1) == 1;
            int[] dims = kept;
            for (int d = kept.length - 1; d >= 0 && !keep; d--) {
                dims = gone[d] ? Dims.without(dims, d) : dims;
            }
            call.checkedDims(dims);
            return new Plan(Dims.walk(x.dims(), strides, 0), kept, dims, nothing);
        }

        int results() {
            return Dims.size(dims);
        }

        double count() {
            return results() == 0 ? 0 : (double) target.length / results();
        }

        double[] fold(NdArray x, double start, DoubleBinaryOperator step) {
            double[] folded = new double[results()];
            Arrays.fill(folded, start);
            for (int i = 0; i < target.length; i++) {
                folded[target[i]] = step.applyAsDouble(folded[target[i]], x.real(i));
            }
            return folded;
        }

        long[] foldWhole(NdArray x, long start, LongBinaryOperator step) {
            long[] folded = new long[results()];
            Arrays.fill(folded, start);
            for (int i = 0; i < target.length; i++) {
                folded[target[i]] = step.applyAsLong(folded[target[i]], x.whole(i));
            }
            return folded;
        }
    }

    private static void put(Map<String, Kernel> table, String op, Folding folding) {
        table.put(op, (Kernel.SingleOutput) call -> {
            NdArray x = call.input(0);
            Plan plan = Plan.of(call);
            if (plan.nothing) {
                return x;
            }
            return x.element().isFloat()
                    ? NdArray.reals(x.element(), plan.dims, plan.fold(x, folding.start, folding.reals))
                    : NdArray.whole(x.element(), plan.dims, plan.foldWhole(x, folding.start, folding.whole));
        });
    }

    private static NdArray after(Call call, Folding folding, DoubleUnaryOperator last) {
        NdArray x = call.input(0);
        Plan plan = Plan.of(call);
        return plan.nothing
                ? x
                : typed(
                        x.element(),
                        plan.dims,
                        Arrays.stream(plan.fold(x, folding.start, folding.reals))
                                .map(last)
                                .toArray());
    }

    private static NdArray mean(Call call) {
        NdArray x = call.input(0);
        Plan plan = Plan.of(call);
        if (plan.nothing) {
            return x;
        }
        double[] sums = plan.fold(x, 0, (a, v) -> a + v);
        return typed(
                x.element(),
                plan.dims,
                Arrays.stream(sums).map(s -> s / plan.count()).toArray());
    }

    private static NdArray typed(ElementType element, int[] dims, double[] values) {
        return element.isFloat()
                ? NdArray.reals(element, dims, values)
                : NdArray.whole(
                        element,
                        dims,
                        Arrays.stream(values).mapToLong(v -> (long) v).toArray());
    }

    private static NdArray extreme(Call call, boolean largest) {
        NdArray x = call.input(0);
        Plan plan = Plan.of(call);
        if (plan.nothing) {
            return x;
        }
        if (x.element().isFloat()) {
            double start = largest ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            DoubleBinaryOperator step = largest ? Math::max : Math::min;
            return NdArray.reals(x.element(), plan.dims, plan.fold(x, start, step));
        }
        LongBinaryOperator step = largest ? Math::max : Math::min;
        long start = largest ? Long.MIN_VALUE : Long.MAX_VALUE;
        return NdArray.whole(x.element(), plan.dims, plan.foldWhole(x, start, step));
    }

    private static NdArray logSumExp(Call call) {
        NdArray x = call.input(0);
        Plan plan = Plan.of(call);
        if (plan.nothing) {
            return x;
        }
        double[] most = plan.fold(x, Double.NEGATIVE_INFINITY, Math::max);
        double[] sums = new double[most.length];
        for (int i = 0; i < plan.target.length; i++) {
            double shift = Double.isInfinite(most[plan.target[i]]) ? 0 : most[plan.target[i]];
            sums[plan.target[i]] += Math.exp(x.real(i) - shift);
        }
        for (int i = 0; i < sums.length; i++) {
            sums[i] = Math.log(sums[i]) + (Double.isInfinite(most[i]) ? 0 : most[i]);
        }
        return typed(x.element(), plan.dims, sums);
    }

    private static NdArray arg(Call call, boolean largest) {
        NdArray x = call.input(0);
        int axis = call.axis(0, x.rank());
        boolean last = call.integer("select_last_index", 0) == 1;
        AxisView along = AxisView.of(x, axis);
        int[] dims = call.integer("keepdims", 1) == 1 ? Dims.with(x.dims(), axis, 1) : Dims.without(x.dims(), axis);
        return call.whole(ElementType.INT64, dims, line -> {
            int best = 0;
            for (int k = 1; k < along.size(); k++) {
                double difference = x.real(along.at(line, k)) - x.real(along.at(line, best));
                boolean better = largest ? difference > 0 : difference < 0;
                best = better || last && difference == 0 ? k : best;
            }
            return best;
        });
    }
}
