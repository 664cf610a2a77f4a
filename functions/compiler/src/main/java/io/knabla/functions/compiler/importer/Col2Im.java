package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Constants;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Collections;
import java.util.List;

/** Lowers Col2Im: adds every element of the column blocks at its position in the image. */
final class Col2Im {
    private static final int MAX = 4_000_000;

    private Col2Im() {}

    /** Combines {@code [N, C·block, blocks]} into {@code [N, C, image…]}. */
    static Value toImage(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        List<Long> image = LoweringHelpers.numbers(call, 1);
        List<Long> block = LoweringHelpers.numbers(call, 2);
        int axes = image.size();
        Attributes given = call.attributes();
        List<Long> strides = given.integers("strides").orElse(Collections.nCopies(axes, 1L));
        List<Long> dilations = given.integers("dilations").orElse(Collections.nCopies(axes, 1L));
        List<Long> pads = given.integers("pads").orElse(Collections.nCopies(2 * axes, 0L));
        long kernel = block.stream().reduce(1L, Math::multiplyExact);
        if (kernel < 1 || strides.stream().anyMatch(s -> s < 1)) {
            throw new UnsupportedOperatorException("needs blocks and strides of at least 1");
        }
        if (!x.dim(1).known()) {
            throw NotConstantException.INSTANCE;
        }
        long depth = x.dim(1).or(0) / kernel;
        long[] padded = new long[axes];
        long[] places = new long[axes];
        long size = 1;
        long count = kernel;
        for (int i = 0; i < axes; i++) {
            padded[i] = image.get(i) + pads.get(i) + pads.get(i + axes);
            long span = (block.get(i) - 1) * dilations.get(i) + 1;
            places[i] = Math.max(0, (padded[i] - span) / strides.get(i) + 1);
            size = Math.multiplyExact(size, padded[i]);
            count = Math.multiplyExact(count, places[i]);
        }
        if (count > MAX || size > MAX) {
            throw NotConstantException.INSTANCE;
        }
        double[] targets = targets(block, dilations, strides, padded, places, (int) count);
        Value index = code.builder().constant(Constants.tensor(ElementType.INT64, List.of(1L, count), targets));
        Value rows = code.reshape(x, -1, count);
        Value zeros = code.fill(LoweringHelpers.joined(code, code.sizeOf(rows, 0), code.ints(size)), x.element(), 0);
        Value sum = code.scatterAdd(zeros, code.expandLike(index, rows), rows, 1);
        return cropped(code, sum, depth, image, pads, padded);
    }

    private static double[] targets(
            List<Long> block, List<Long> dilations, List<Long> strides, long[] padded, long[] places, int count) {
        double[] targets = new double[count];
        long windows = 1;
        for (long place : places) {
            windows *= place;
        }
        for (int n = 0; n < count; n++) {
            long tap = n / windows;
            long place = n % windows;
            long target = 0;
            long unit = 1;
            for (int i = padded.length - 1; i >= 0; i--) {
                long at = place % places[i] * strides.get(i) + tap % block.get(i) * dilations.get(i);
                target += at * unit;
                unit *= padded[i];
                place /= places[i];
                tap /= block.get(i);
            }
            targets[n] = target;
        }
        return targets;
    }

    private static Value cropped(Ops code, Value sum, long depth, List<Long> image, List<Long> pads, long[] padded) {
        long[] shape = new long[padded.length + 2];
        shape[0] = -1;
        shape[1] = depth;
        System.arraycopy(padded, 0, shape, 2, padded.length);
        Value whole = code.reshape(sum, shape);
        for (int i = 0; i < padded.length; i++) {
            if (padded[i] != image.get(i)) {
                whole = code.slice(whole, i + 2, pads.get(i), pads.get(i) + image.get(i));
            }
        }
        return whole;
    }
}
