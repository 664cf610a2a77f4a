package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Kernels of TopK, Unique and CumSum. */
final class Sorting {
    private Sorting() {}

    static void register(Map<String, Kernel> table) {
        table.put("TopK", Sorting::topK);
        table.put("Unique", Sorting::unique);
        table.put("CumSum", (Kernel.SingleOutput) Sorting::cumulated);
    }

    /** Of equal elements, the one with the lower index comes first. */
    private static List<NdArray> topK(Call call) {
        NdArray x = call.input(0);
        int axis = call.axis(-1, x.rank());
        int count = Math.toIntExact(call.whole(1, 0));
        AxisView along = AxisView.of(x, axis);
        if (count < 0 || count > along.size()) {
            throw new EvaluationException("the first %d of %d".formatted(count, along.size()));
        }
        boolean largest = call.integer("largest", 1) == 1;
        int[] dims = call.checkedDims(Dims.with(x.dims(), axis, count));
        long[] indices = new long[Dims.size(dims)];
        int[] from = new int[indices.length];
        for (int line = 0; line < along.lines() && count > 0; line++) {
            int[] best = sorted(x, along, line, largest);
            for (int k = 0; k < count; k++) {
                int to = (line / along.inner() * count + k) * along.inner() + line % along.inner();
                indices[to] = best[k];
                from[to] = along.at(line, best[k]);
            }
        }
        return List.of(x.pick(dims, from), NdArray.whole(ElementType.INT64, dims, indices));
    }

    private static int[] sorted(NdArray x, AxisView along, int line, boolean largest) {
        Comparator<Integer> order = Comparator.comparingDouble(k -> x.real(along.at(line, k)));
        return IntStream.range(0, along.size())
                .boxed()
                .sorted(largest ? order.reversed() : order)
                .mapToInt(k -> k)
                .toArray();
    }

    private static List<NdArray> unique(Call call) {
        if (call.attributes().containsKey("axis")) {
            throw new EvaluationException("Unique along an axis is not evaluated");
        }
        NdArray x = call.input(0);
        boolean sorted = call.integer("sorted", 1) == 1;
        var firsts = new ArrayList<Integer>();
        int[] same = new int[x.size()];
        var seen = new HashMap<Double, Integer>();
        for (int i = 0; i < x.size(); i++) {
            Integer first = seen.putIfAbsent(x.real(i), i);
            same[i] = first == null ? i : first;
            if (first == null) {
                firsts.add(i);
            }
        }
        if (sorted) {
            firsts.sort(Comparator.comparingDouble(x::real));
        }
        int[] from = firsts.stream().mapToInt(i -> i).toArray();
        long[] inverse = Arrays.stream(same).mapToLong(firsts::indexOf).toArray();
        long[] counts = new long[from.length];
        for (long group : inverse) {
            counts[(int) group]++;
        }
        return List.of(
                x.pick(new int[] {from.length}, from),
                NdArray.longs(Arrays.stream(from).asLongStream().toArray()),
                NdArray.longs(inverse),
                NdArray.longs(counts));
    }

    private static NdArray cumulated(Call call) {
        NdArray x = call.input(0);
        int axis = Dims.axis(call.whole(1, 0), x.rank());
        boolean exclusive = call.integer("exclusive", 0) == 1;
        boolean reverse = call.integer("reverse", 0) == 1;
        AxisView along = AxisView.of(x, axis);
        double[] reals = new double[x.size()];
        long[] whole = new long[x.size()];
        for (int line = 0; line < along.lines(); line++) {
            double real = 0;
            long sum = 0;
            for (int step = 0; step < along.size(); step++) {
                int at = along.at(line, reverse ? along.size() - 1 - step : step);
                reals[at] = exclusive ? real : real + x.real(at);
                whole[at] = exclusive ? sum : sum + x.whole(at);
                real += x.real(at);
                sum += x.whole(at);
            }
        }
        return x.element().isFloat()
                ? NdArray.reals(x.element(), x.dims(), reals)
                : NdArray.whole(x.element(), x.dims(), whole);
    }
}
