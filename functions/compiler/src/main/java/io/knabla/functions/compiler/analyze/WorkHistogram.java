package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.analyze.Analysis.Work;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Sums FLOPs and bytes in bins of arithmetic intensity, four per octave, to predict the roofline time on any machine.
 * Such bins are fine enough: only a bin that spans the machine's ridge point is too low, by less than a tenth.
 */
final class WorkHistogram {
    private static final int SUMS_AN_OCTAVE = 4;

    private final SortedMap<Integer, Work> sums = new TreeMap<>();

    void add(long flops, long bytes) {
        if (flops > 0 || bytes > 0) {
            merge(place(flops, bytes), new Work(flops, bytes));
        }
    }

    void add(WorkHistogram other) {
        other.sums.forEach(this::merge);
    }

    List<Work> parts() {
        return List.copyOf(sums.values());
    }

    private void merge(int place, Work work) {
        sums.merge(
                place,
                work,
                (a, b) ->
                        new Work(SaturatingMath.plus(a.flops(), b.flops()), SaturatingMath.plus(a.bytes(), b.bytes())));
    }

    private static int place(long flops, long bytes) {
        if (flops == 0) {
            return Integer.MIN_VALUE;
        }
        if (bytes == 0) {
            return Integer.MAX_VALUE;
        }
        return (int) Math.floor(SUMS_AN_OCTAVE * Math.log((double) flops / bytes) / Math.log(2));
    }
}
