package io.knabla.functions.compiler.interpreter;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Kernels of Pad and Trilu. */
final class Paddings {
    private Paddings() {}

    static void register(Map<String, Kernel> table) {
        table.put("Pad", (Kernel.SingleOutput) Paddings::pad);
        table.put("Trilu", (Kernel.SingleOutput) Paddings::trilu);
    }

    private static NdArray pad(Call call) {
        NdArray x = call.input(0);
        long[] pads = call.input(1).whole();
        int[] axes = call.has(3)
                ? call.axes(3, x.rank())
                : IntStream.range(0, x.rank()).toArray();
        if (pads.length != 2 * axes.length) {
            throw new EvaluationException("%d pads for %d axes".formatted(pads.length, axes.length));
        }
        String mode = call.text("mode", "constant");
        int[] dims = x.dims();
        int[] before = new int[x.rank()];
        for (int i = 0; i < axes.length; i++) {
            before[axes[i]] = Math.toIntExact(pads[i]);
            dims[axes[i]] = Math.toIntExact(dims[axes[i]] + pads[i] + pads[i + axes.length]);
        }
        call.checkedDims(dims);
        int[] to = Dims.strides(dims);
        int[] from = Dims.strides(x.dims());
        int hole = x.size();
        NdArray fill = call.maybe(2).orElseGet(() -> NdArray.scalar(x.element(), 0));
        return NdArray.joined(List.of(x, fill.withDims())).pick(dims, i -> {
            int at = 0;
            for (int d = 0; d < dims.length; d++) {
                int source = source(mode, i / to[d] % dims[d] - before[d], x.dim(d));
                if (source < 0) {
                    return hole;
                }
                at += source * from[d];
            }
            return at;
        });
    }

    /** @return -1 for a position that holds no element of the tensor */
    private static int source(String mode, int at, int size) {
        if (at >= 0 && at < size) {
            return at;
        }
        return switch (mode) {
            case "constant" -> -1;
            case "edge" -> at < 0 ? 0 : size - 1;
            case "wrap" -> Math.floorMod(at, size);
            case "reflect" -> {
                int period = Math.max(1, 2 * (size - 1));
                int folded = Math.floorMod(at, period);
                yield folded < size ? folded : period - folded;
            }
            default -> throw new EvaluationException("mode " + mode);
        };
    }

    private static NdArray trilu(Call call) {
        NdArray x = call.input(0);
        long diagonal = call.whole(1, 0);
        boolean upper = call.integer("upper", 1) == 1;
        int rows = x.dim(-2);
        int columns = x.dim(-1);
        return call.pick(x, x.dims(), i -> {
            long above = i % columns - i / columns % rows - diagonal;
            return (upper ? above >= 0 : above <= 0) ? i : -1;
        });
    }
}
