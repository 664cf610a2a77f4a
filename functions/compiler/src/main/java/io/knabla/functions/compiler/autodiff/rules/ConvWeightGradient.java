package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Derivative rule of a convolution with respect to its weight. For every tap of the kernel, it is the product of the
 * adjoints with the pixels under the tap.
 */
final class ConvWeightGradient {
    /** Algorithm that computes it; autodiff.md has the measurements. */
    enum Algorithm {
        /** A convolution with batch and channels swapped, strides and dilations too. */
        SWAP,
        /** One product per tap. */
        TAPS,
        /** All taps side by side (im2col), and one product. */
        COLUMNS,
        /** Like COLUMNS, but image by image and without moving channels to the end; then a sum over the batch. */
        PLANES
    }

    /** @param reason explanation for readers of the plan */
    record Choice(Algorithm algorithm, String reason) {}

    /**
     * Inputs of the choice; -1 for sizes known at run time only.
     *
     * @param channels of the image
     * @param rows pixels of all results of a batch
     */
    record Sizes(long channels, long taps, long rows, long groups) {}

    /** Fewer make products too thin. */
    private static final long FEW_CHANNELS = 8;

    /** More make too many slices of a thin image. */
    private static final long MANY_TAPS = 25;

    private static final long TOO_MANY_TAPS = 121;

    /** With fewer, the copies of im2col cost less than products tap by tap. */
    private static final long FEW_ROWS = 256;

    private ConvWeightGradient() {}

    /** Measured on one core against PyTorch; the reason names what decided. */
    static Choice choose(Sizes sizes) {
        long channels = sizes.channels;
        if (sizes.groups != 1) {
            return new Choice(Algorithm.SWAP, "groups are one convolution only this way");
        }
        if (channels < 0 || sizes.taps < 0) {
            return new Choice(Algorithm.SWAP, "its sizes are known at run only");
        }
        boolean thin = channels < FEW_CHANNELS;
        if (sizes.taps > (thin ? MANY_TAPS : TOO_MANY_TAPS)) {
            return new Choice(Algorithm.SWAP, "a kernel of %d taps".formatted(sizes.taps));
        }
        if (thin) {
            return new Choice(Algorithm.PLANES, "%d channels make thin products".formatted(channels));
        }
        if (sizes.taps == 1) {
            return new Choice(Algorithm.PLANES, "one tap needs no other layout");
        }
        return sizes.rows >= 0 && sizes.rows <= FEW_ROWS
                ? new Choice(Algorithm.COLUMNS, "%d rows are copied quickly".formatted(sizes.rows))
                : new Choice(Algorithm.TAPS, "products of %d channels".formatted(channels));
    }

    /**
     * The convolution to differentiate.
     *
     * @param image [N, C, in…]
     * @param dy [N, M, out…]
     * @param weight [M, C / groups, kernel…], the value to differentiate with respect to
     */
    record ConvTask(Value image, Value dy, Value weight, Window window, long groups) {
        Sizes sizes() {
            long taps = window.hasKnownKernel() ? window.taps() : -1;
            long rows = dy.dim(0).or(-1);
            for (int i = 2; i < dy.rank() && rows >= 0; i++) {
                rows = dy.dim(i).known() ? rows * dy.dim(i).or(0) : -1;
            }
            return new Sizes(image.dim(1).or(-1), taps, rows, groups);
        }
    }

    static Value of(RuleContext at, ConvTask task) {
        return of(at, task, choose(task.sizes()).algorithm());
    }

    static Value of(RuleContext at, ConvTask task, Algorithm way) {
        return switch (way) {
            case SWAP -> swap(at, task);
            case TAPS -> taps(at, task);
            case COLUMNS -> columns(at, task);
            case PLANES -> planes(at, task);
        };
    }

    private static Value swap(RuleContext at, ConvTask task) {
        Value image = task.image;
        Window window = task.window;
        long groups = task.groups;
        int rank = image.rank();
        List<Long> turned = ConvImageGradient.moved(rank, 1, 0);
        Value batch = groups == 1 ? at.transpose(image, turned) : grouped(at, image, groups);
        Attributes attributes = Attributes.of("strides", window.dilations())
                .with("dilations", window.strides())
                .with("pads", window.pads())
                .with("group", groups);
        Value found = at.op("Conv", attributes, batch, at.transpose(task.dy, turned));
        return at.transpose(cropped(at, found, task), turned);
    }

    /** Cuts off surplus taps, which appear if the stride leaves pixels over. */
    private static Value cropped(RuleContext at, Value found, ConvTask task) {
        Window window = task.window;
        boolean exact = true;
        for (int i = 0; i < window.axes(); i++) {
            exact &= window.strides().get(i) == 1
                    || found.dim(i + 2).is(window.kernel().get(i));
        }
        if (exact) {
            return found;
        }
        Value kernel = window.hasKnownKernel()
                ? at.ints(window.kernel())
                : at.op("Shape", Attributes.of("start", 2), task.weight);
        Value none = at.ints(Collections.nCopies(window.axes(), 0L));
        return at.slice(found, none, kernel, axes(at, 2, window));
    }

    /** [N, groups · c, in…] as [c, groups · N, in…]. */
    private static Value grouped(RuleContext at, Value image, long groups) {
        int rank = image.rank();
        Value batch = at.sizeOf(image, 0);
        Value space = at.op("Shape", Attributes.of("start", 2), image);
        Value apart = at.op("Reshape", image, at.concat(0, batch, at.ints(groups, -1), space));
        Value turned = at.transpose(apart, ConvImageGradient.moved(rank + 1, 2, 1, 0));
        Value channels = at.sizeOf(turned, 0);
        return at.op("Reshape", turned, at.concat(0, channels, at.ints(-1), space));
    }

    private static Value taps(RuleContext at, ConvTask task) {
        Value adjoints = features(at, task.dy);
        var products = new ArrayList<Value>();
        for (Value pixels : rows(at, task)) {
            products.add(at.op("Gemm", adjoints, pixels));
        }
        Value shape = at.concat(0, at.ints(task.window.kernel()), at.sizeOf(task.dy, 1), at.sizeOf(task.image, 1));
        Value stacked = at.op("Reshape", at.concat(0, products), ScatterHelpers.foldConstants(at, shape));
        int axes = task.window.axes();
        return at.transpose(stacked, ConvImageGradient.moved(axes + 2, axes, axes + 1));
    }

    private static Value columns(RuleContext at, ConvTask task) {
        Value product = at.op("Gemm", features(at, task.dy), at.concat(1, rows(at, task)));
        return unfolded(at, product, task);
    }

    /** For every tap, the pixels under it as contiguous rows [N · out…, C]. */
    private static List<Value> rows(RuleContext at, ConvTask task) {
        Value image = task.image;
        var order = new ArrayList<>(List.of(0L));
        LongStream.range(2, image.rank()).forEach(order::add);
        order.add(1L);
        Value last = at.transpose(padded(at, image, task.window), order);
        Value width = ScatterHelpers.foldConstants(at, at.concat(0, at.ints(-1), at.sizeOf(image, 1)));
        return tapPixels(at, last, task, 1).stream()
                .map(p -> at.op("Reshape", p, width))
                .toList();
    }

    /** [M, kernel… · C] as [M, C, kernel…]. */
    private static Value unfolded(RuleContext at, Value product, ConvTask task) {
        Value shape = at.concat(0, at.sizeOf(task.dy, 1), at.ints(task.window.kernel()), at.sizeOf(task.image, 1));
        Value apart = at.op("Reshape", product, ScatterHelpers.foldConstants(at, shape));
        int axes = task.window.axes();
        return at.transpose(apart, ConvImageGradient.moved(axes + 2, 0, axes + 1));
    }

    /** [N, M, out…] as [M, N · out…]. */
    private static Value features(RuleContext at, Value dy) {
        Value first = at.transpose(dy, ConvImageGradient.moved(dy.rank(), 1, 0));
        return at.op("Reshape", first, at.concat(0, at.sizeOf(dy, 1), at.ints(-1)));
    }

    private static Value planes(RuleContext at, ConvTask task) {
        Value padded = padded(at, task.image, task.window);
        Value width = at.mul(at.sizeOf(task.image, 1), at.ints(task.window.taps()));
        Value shape = at.concat(0, at.ints(0), width, at.ints(-1));
        Value columns =
                at.op("Reshape", at.concat(1, tapPixels(at, padded, task, 2)), ScatterHelpers.foldConstants(at, shape));
        Value adjoints = at.op("Reshape", task.dy, at.ints(0, 0, -1));
        Value products = at.matmul(adjoints, at.transpose(columns, 0, 2, 1));
        return unfolded(at, at.reduceSum(products, 0, false), task);
    }

    /**
     * For every tap, the pixels under it.
     *
     * @param first spatial axis of the padded image
     */
    private static List<Value> tapPixels(RuleContext at, Value padded, ConvTask task, long first) {
        var seen = new ArrayList<Value>();
        long[] tap = new long[task.window.axes()];
        for (long i = 0; i < task.window.taps(); i++) {
            seen.add(slice(at, padded, task, tap, first));
            advance(tap, task.window);
        }
        return seen;
    }

    private static void advance(long[] tap, Window window) {
        int axis = tap.length - 1;
        while (axis >= 0 && ++tap[axis] == window.kernel().get(axis)) {
            tap[axis--] = 0;
        }
    }

    private static Value slice(RuleContext at, Value last, ConvTask task, long[] tap, long first) {
        Value dy = task.dy;
        Window window = task.window;
        var starts = new ArrayList<Long>();
        var ends = new ArrayList<Value>();
        for (int i = 0; i < tap.length; i++) {
            long start = tap[i] * window.dilations().get(i);
            long stride = window.strides().get(i);
            starts.add(start);
            ends.add(
                    dy.dim(i + 2) instanceof Dim.Known(var out)
                            ? at.ints(start + (out - 1) * stride + 1)
                            : at.op(
                                    "Add",
                                    at.op("Mul", at.sizeOf(dy, i + 2), at.ints(stride)),
                                    at.ints(start - stride + 1)));
        }
        boolean known = ends.stream().allMatch(e -> e.knownIntegers().isPresent());
        Value until = known
                ? at.ints(ends.stream()
                        .map(e -> e.knownIntegers().get().getFirst())
                        .toList())
                : at.concat(0, ends);
        return at.op("Slice", last, at.ints(starts), until, axes(at, first, window), at.ints(window.strides()));
    }

    private static Value padded(RuleContext at, Value image, Window window) {
        if (window.unpadded()) {
            return image;
        }
        var pads = new ArrayList<>(List.of(0L, 0L));
        pads.addAll(window.begins());
        pads.addAll(List.of(0L, 0L));
        pads.addAll(window.ends());
        return at.pad(image, at.ints(pads));
    }

    private static Value axes(RuleContext at, long first, Window window) {
        return at.ints(LongStream.range(first, first + window.axes()).boxed().toList());
    }
}
