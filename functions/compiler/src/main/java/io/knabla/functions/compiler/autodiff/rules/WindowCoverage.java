package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Constants;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Relates pooling windows to the pixels that they cover: pixels per window, and the adjoint of a sum over each window.
 */
final class WindowCoverage {
    private WindowCoverage() {}

    /** Gives every pixel the sum of {@code dy} over the windows that cover it. */
    static Value addToPixels(RuleContext at, Value x, Value dy, Window window) {
        if (tiles(x, dy, window)) {
            return tiled(at, x, dy, window);
        }
        Value planes = planes(at, dy, window);
        Value image = planes(at, x, window);
        Value ones = ones(at, x, window);
        return at.reshapeLike(ConvImageGradient.spread(at, image, ones, planes, window, 1), x);
    }

    /** Merges batch and channels into one axis, for a kernel with one channel. */
    private static Value planes(RuleContext at, Value a, Window window) {
        var space = new ArrayList<Long>();
        for (int i = 0; i < window.axes(); i++) {
            space.add(a.dim(i + 2).or(-1));
        }
        if (space.stream().allMatch(size -> size > 0)) {
            space.addAll(0, List.of(-1L, 1L));
            return at.op("Reshape", a, at.ints(space));
        }
        Value sizes = at.op("Shape", Attributes.of("start", 2), a);
        return at.op("Reshape", a, at.concat(0, at.ints(-1, 1), sizes));
    }

    private static Value ones(RuleContext at, Value like, Window window) {
        var dims = new ArrayList<>(List.of(1L, 1L));
        dims.addAll(window.kernel());
        double[] values = new double
                [GeneratedConstant.elements(
                        "a window",
                        window.kernel().stream().mapToLong(Long::longValue).toArray())];
        Arrays.fill(values, 1);
        return at.builder().constant(Constants.tensor(like.element(), dims, values));
    }

    /** Whether the windows cover every pixel exactly once. */
    private static boolean tiles(Value x, Value dy, Window window) {
        boolean once = window.unpadded()
                && window.strides().equals(window.kernel())
                && window.dilations().stream().allMatch(d -> d == 1);
        for (int i = 0; i < window.axes() && once; i++) {
            once = x.dim(i + 2) instanceof Dim.Known(var in)
                    && in % window.kernel().get(i) == 0
                    && dy.dim(i + 2).is(in / window.kernel().get(i));
        }
        return once;
    }

    private static Value tiled(RuleContext at, Value x, Value dy, Window window) {
        var behind = new ArrayList<Long>();
        var sizes = new ArrayList<Value>(List.of(at.sizeOf(x, 0), at.sizeOf(x, 1)));
        for (int i = 0; i < window.axes(); i++) {
            behind.add(3L + 2 * i);
            sizes.add(at.sizeOf(dy, i + 2));
            sizes.add(at.ints(window.kernel().get(i)));
        }
        Value shape = ScatterHelpers.foldConstants(at, at.concat(0, sizes));
        return at.reshapeLike(at.expand(at.unsqueeze(dy, behind), shape), x);
    }

    /**
     * Number of pixels that each mean is over, broadcasting against the result.
     *
     * @param all whether padding counts
     */
    static Value counts(RuleContext at, Op op, Value x, Window window, boolean all) {
        boolean ceil = op.attributes().integer("ceil_mode", 0) == 1;
        if ((all || window.unpadded()) && !ceil) {
            return at.scalar(x, window.taps());
        }
        var dims = new ArrayList<>(List.of(1L, 1L));
        double[] counts = {1};
        for (int i = 0; i < window.axes(); i++) {
            Optional<double[]> along = along(x.dim(i + 2), op.output().dim(i + 2), window, i, all);
            if (along.isEmpty()) {
                return counted(at, x, window, ceil);
            }
            counts = outer(counts, along.get());
            dims.add((long) along.get().length);
        }
        return at.builder().constant(Constants.tensor(x.element(), dims, counts));
    }

    private static Optional<double[]> along(Dim size, Dim result, Window window, int axis, boolean all) {
        if (!(size instanceof Dim.Known(var in)) || !(result instanceof Dim.Known(var out))) {
            return Optional.empty();
        }
        long begin = window.begins().get(axis);
        long from = all ? -begin : 0;
        long to = all ? in + window.ends().get(axis) : in;
        GeneratedConstant.elements("counts", out, window.kernel().get(axis));
        double[] counts = new double[(int) out];
        for (int o = 0; o < out; o++) {
            for (long k = 0; k < window.kernel().get(axis); k++) {
                long place =
                        o * window.strides().get(axis) + k * window.dilations().get(axis) - begin;
                counts[o] += place >= from && place < to ? 1 : 0;
            }
        }
        return Optional.of(counts);
    }

    private static double[] outer(double[] a, double[] b) {
        double[] product = new double[GeneratedConstant.elements("counts", a.length, b.length)];
        for (int i = 0; i < product.length; i++) {
            product[i] = a[i / b.length] * b[i % b.length];
        }
        return product;
    }

    /** Counts by a convolution of ones, for sizes known at run time only. */
    private static Value counted(RuleContext at, Value x, Window window, boolean ceil) {
        if (ceil) {
            throw new UnsupportedOperatorException("ceil_mode needs sizes that are known");
        }
        Value space = at.op("Shape", Attributes.of("start", 2), x);
        Value image = at.fill(at.concat(0, at.ints(1, 1), space), x.element(), 1);
        return at.op("Conv", window.attributes(1), image, ones(at, x, window));
    }
}
