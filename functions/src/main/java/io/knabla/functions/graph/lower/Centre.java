package io.knabla.functions.graph.lower;

import static io.knabla.functions.graph.lower.Forms.need;

import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.ssa.Lowering.Call;
import io.knabla.functions.graph.ssa.Ops;
import io.knabla.functions.graph.ssa.Refusal;
import io.knabla.functions.graph.ssa.Value;
import java.util.List;

/** Crops what is too large around its centre, and pads what is too small. */
final class Centre {
    private Centre() {}

    static Value cropPad(Ops code, Call call) {
        Value x = need(call, 0);
        int rank = x.rank();
        List<Long> sizes = Forms.numbers(call, 1);
        List<Long> axes =
                call.attributes()
                        .integers("axes")
                        .map(list -> Forms.axes(list, rank))
                        .orElseGet(() -> Forms.range(0, rank));
        if (axes.size() != sizes.size()) {
            throw new Refusal("names %d sizes for %d axes".formatted(sizes.size(), axes.size()));
        }
        long[] pads = new long[2 * rank];
        Value cropped = x;
        for (int i = 0; i < sizes.size(); i++) {
            int axis = axes.get(i).intValue();
            if (!(x.dim(axis) instanceof Dim.Known(var size))) {
                throw OnlyAtRun.INSTANCE;
            }
            long wanted = sizes.get(i);
            if (size > wanted) {
                long start = (size - wanted) / 2;
                cropped = code.slice(cropped, axis, start, start + wanted);
            } else {
                pads[axis] = (wanted - size) / 2;
                pads[axis + rank] = wanted - size - pads[axis];
            }
        }
        boolean padded = java.util.Arrays.stream(pads).anyMatch(p -> p > 0);
        return padded ? code.pad(cropped, code.ints(pads)) : cropped;
    }
}
