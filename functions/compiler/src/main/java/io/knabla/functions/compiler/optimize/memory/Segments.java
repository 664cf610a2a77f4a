package io.knabla.functions.compiler.optimize.memory;

import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Segments of the forward pass for checkpointing. Values that cross segments are saved, values inside one are
 * recomputed; the last segment is differentiated at once and saves everything.
 *
 * @param ends position after the last operation of every segment but the last
 * @param products whether results of matrix products and convolutions are saved, too
 */
record Segments(ForwardPass forward, List<Integer> ends, boolean products) {
    private static final Set<String> PRODUCTS =
            Set.of("MatMul", "Gemm", "Conv", "ConvTranspose", "Einsum", "LSTM", "GRU", "RNN");

    /** Operators whose results differ from call to call. */
    private static final Set<String> RANDOM = Set.of(
            "Dropout",
            "RandomNormal",
            "RandomUniform",
            "RandomNormalLike",
            "RandomUniformLike",
            "Bernoulli",
            "Multinomial");

    static final int SAVED = -1;

    /** Cuts where few bytes cross, into segments that hold about equally many bytes for the backward pass. */
    static Segments cut(ForwardPass forward, int count, boolean products) {
        long[] crossing = crossing(forward);
        long[] kept = keptBefore(forward);
        long all = kept[kept.length - 1];
        var ends = new ArrayList<Integer>();
        for (int i = 1; i < count; i++) {
            long wanted = all / count * i;
            long slack = all / count / 2;
            int best = narrowest(crossing, kept, wanted, slack);
            if (best > 0 && (ends.isEmpty() || best > ends.getLast())) {
                ends.add(best);
            }
        }
        return new Segments(forward, List.copyOf(ends), products);
    }

    private static int narrowest(long[] crossing, long[] kept, long wanted, long slack) {
        int best = -1;
        for (int place = 1; place < kept.length - 1; place++) {
            if (Math.abs(kept[place] - wanted) <= slack
                    && (best < 0
                            || crossing[place] < crossing[best]
                            || crossing[place] == crossing[best]
                                    && Math.abs(kept[place] - wanted) < Math.abs(kept[best] - wanted))) {
                best = place;
            }
        }
        return best;
    }

    /** Bytes computed before each position and used after it. */
    private static long[] crossing(ForwardPass forward) {
        long[] change = new long[forward.ops().size() + 2];
        for (int place = 0; place < forward.ops().size(); place++) {
            for (Value value : forward.ops().get(place).outputs()) {
                int last = forward.lastUse(value);
                if (last > place) {
                    change[place + 1] += forward.size(value);
                    change[last + 1] -= forward.size(value);
                }
            }
        }
        Arrays.parallelPrefix(change, Long::sum);
        return change;
    }

    private static long[] keptBefore(ForwardPass forward) {
        long[] kept = new long[forward.ops().size() + 1];
        for (int place = 0; place < forward.ops().size(); place++) {
            kept[place + 1] = kept[place];
            for (Value value : forward.ops().get(place).outputs()) {
                kept[place + 1] += forward.kept(value) ? forward.bytes(value) : 0;
            }
        }
        return kept;
    }

    int last() {
        return ends.size();
    }

    int segmentAt(int place) {
        int segment = 0;
        while (segment < ends.size() && ends.get(segment) <= place) {
            segment++;
        }
        return segment;
    }

    /** The segment that recomputes the value, or {@link #SAVED}. */
    int recomputedIn(Value value) {
        int place = forward.position(value);
        if (place < 0 || !forward.dependsOnInputs(value)) {
            return SAVED;
        }
        int segment = segmentAt(place);
        Op op = forward.ops().get(place);
        int use = forward.lastUse(value);
        boolean crosses = use >= 0 && segmentAt(use) > segment;
        boolean costly = products && PRODUCTS.contains(op.type());
        boolean unrepeatable = RANDOM.contains(op.type()) || !op.bodies().isEmpty();
        return segment == last() || crosses || costly || unrepeatable ? SAVED : segment;
    }
}
