package io.knabla.functions.autodiff.rules;

import io.knabla.functions.autodiff.Backward;
import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.ssa.Attributes;
import io.knabla.functions.graph.ssa.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The adjoint of a convolution by its weight: for every tap of the kernel, the product of the
 * adjoints with the pixels that the tap saw.
 */
final class WeightGradient {
    /** How it is computed; autodiff.md has the measurements. */
    enum Way {
        /** A convolution with batch and channels swapped, strides and dilations too. */
        SWAP,
        /** One product a tap. */
        TAPS,
        /** All taps side by side (im2col), and one product. */
        COLUMNS
    }

    /** @param reason for people who read the plan */
    record Choice(Way way, String reason) {}

    /**
     * What the choice rests on; -1 for sizes that only a run knows.
     *
     * @param channels of the image
     * @param features of the result
     */
    record Sizes(long channels, long features, long taps, long groups) {}

    private static final long FEW_CHANNELS = 8;
    private static final long MANY_TAPS = 49;

    private WeightGradient() {}

    static Choice choose(Sizes sizes) {
        if (sizes.groups != 1) {
            return new Choice(Way.SWAP, "groups are one convolution only this way");
        }
        if (sizes.channels < 0 || sizes.features < 0 || sizes.taps < 0) {
            return new Choice(Way.SWAP, "its sizes are known at run only");
        }
        if (sizes.taps > MANY_TAPS) {
            return new Choice(Way.SWAP, "a kernel of %d taps".formatted(sizes.taps));
        }
        return sizes.channels < FEW_CHANNELS
                ? new Choice(
                        Way.COLUMNS, "%d channels make thin products".formatted(sizes.channels))
                : new Choice(Way.TAPS, "products of %d channels".formatted(sizes.channels));
    }

    /**
     * What is to be computed.
     *
     * @param image [N, C, in…]
     * @param dy [N, M, out…]
     * @param weight [M, C / groups, kernel…], whose adjoint is wanted
     */
    record Task(Value image, Value dy, Value weight, Window window, long groups) {
        Sizes sizes() {
            long taps = window.fixed() ? window.taps() : -1;
            return new Sizes(image.dim(1).or(-1), dy.dim(1).or(-1), taps, groups);
        }
    }

    static Value of(Backward at, Task task) {
        return of(at, task, choose(task.sizes()).way());
    }

    static Value of(Backward at, Task task, Way way) {
        return switch (way) {
            case SWAP -> swap(at, task);
            case TAPS -> taps(at, task.image, task.dy, task.window);
            case COLUMNS -> columns(at, task.image, task.dy, task.window);
        };
    }

    private static Value swap(Backward at, Task task) {
        Value image = task.image;
        Window window = task.window;
        long groups = task.groups;
        int rank = image.rank();
        List<Long> turned = ImageGradient.permutation(rank, 1, 0);
        Value batch = groups == 1 ? at.transpose(image, turned) : grouped(at, image, groups);
        Attributes attributes =
                Attributes.of("strides", window.dilations())
                        .with("dilations", window.strides())
                        .with("pads", window.pads())
                        .with("group", groups);
        Value found = at.op("Conv", attributes, batch, at.transpose(task.dy, turned));
        return at.transpose(cropped(at, found, task), turned);
    }

    /** A stride that leaves pixels over makes more taps than there are. */
    private static Value cropped(Backward at, Value found, Task task) {
        Window window = task.window;
        boolean exact = true;
        for (int i = 0; i < window.axes(); i++) {
            exact &= window.strides().get(i) == 1 || found.dim(i + 2).is(window.kernel().get(i));
        }
        if (exact) {
            return found;
        }
        Value kernel =
                window.fixed()
                        ? at.ints(window.kernel())
                        : at.op("Shape", Attributes.of("start", 2), task.weight);
        Value none = at.ints(Collections.nCopies(window.axes(), 0L));
        return at.slice(found, none, kernel, axes(at, 2, window));
    }

    /** [N, groups · c, in…] as [c, groups · N, in…]. */
    private static Value grouped(Backward at, Value image, long groups) {
        int rank = image.rank();
        Value batch = at.sizeOf(image, 0);
        Value space = at.op("Shape", Attributes.of("start", 2), image);
        Value apart = at.op("Reshape", image, at.concat(0, batch, at.ints(groups, -1), space));
        Value turned = at.transpose(apart, ImageGradient.permutation(rank + 1, 2, 1, 0));
        Value channels = at.sizeOf(turned, 0);
        return at.op("Reshape", turned, at.concat(0, channels, at.ints(-1), space));
    }

    private static Value taps(Backward at, Value image, Value dy, Window window) {
        Value rows = rows(at, dy);
        Attributes turned = Attributes.of("transA", 1);
        List<Value> products =
                seen(at, image, dy, window, pixels -> at.op("Gemm", turned, rows, pixels));
        Value shape = at.concat(0, at.ints(window.kernel()), at.sizeOf(dy, 1), at.sizeOf(image, 1));
        return back(at, at.op("Reshape", at.concat(0, products), shape), window, 0);
    }

    private static Value columns(Backward at, Value image, Value dy, Window window) {
        Value all = at.concat(1, seen(at, image, dy, window, Function.identity()));
        Value product = at.op("Gemm", Attributes.of("transA", 1), rows(at, dy), all);
        Value shape = at.concat(0, at.sizeOf(dy, 1), at.ints(window.kernel()), at.sizeOf(image, 1));
        return back(at, at.op("Reshape", product, shape), window, 1);
    }

    /** The kernel's axes, which start at an axis, to the end. */
    private static Value back(Backward at, Value found, Window window, int start) {
        var order = new ArrayList<Long>();
        for (long axis = 0; axis < found.rank(); axis++) {
            if (axis < start || axis >= start + window.axes()) {
                order.add(axis);
            }
        }
        LongStream.range(start, start + window.axes()).forEach(order::add);
        return at.transpose(found, order);
    }

    /** For every tap the pixels that it saw, as rows [N · out, C]. */
    private static List<Value> seen(
            Backward at, Value image, Value dy, Window window, Function<Value, Value> use) {
        Value last = lastly(at, padded(at, image, window));
        Value width = at.sizeOf(image, 1);
        Value flat = at.concat(0, at.ints(-1), width);
        var seen = new ArrayList<Value>();
        long[] tap = new long[window.axes()];
        for (long i = 0; i < window.taps(); i++) {
            seen.add(use.apply(at.op("Reshape", slice(at, last, dy, window, tap), flat)));
            advance(tap, window);
        }
        return seen;
    }

    private static void advance(long[] tap, Window window) {
        int axis = tap.length - 1;
        while (axis >= 0 && ++tap[axis] == window.kernel().get(axis)) {
            tap[axis--] = 0;
        }
    }

    private static Value slice(Backward at, Value last, Value dy, Window window, long[] tap) {
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
        boolean known = ends.stream().allMatch(e -> e.numbers().isPresent());
        Value until =
                known
                        ? at.ints(ends.stream().map(e -> e.numbers().get().getFirst()).toList())
                        : at.concat(0, ends);
        return at.op(
                "Slice",
                last,
                at.ints(starts),
                until,
                axes(at, 1, window),
                at.ints(window.strides()));
    }

    private static Value padded(Backward at, Value image, Window window) {
        if (window.unpadded()) {
            return image;
        }
        var pads = new ArrayList<>(List.of(0L, 0L));
        pads.addAll(window.begins());
        pads.addAll(List.of(0L, 0L));
        pads.addAll(window.ends());
        return at.pad(image, at.ints(pads));
    }

    /** [N, C, s…] as [N · s…, C]. */
    private static Value rows(Backward at, Value a) {
        return at.op("Reshape", lastly(at, a), at.concat(0, at.ints(-1), at.sizeOf(a, 1)));
    }

    private static Value lastly(Backward at, Value a) {
        var order = new ArrayList<>(List.of(0L));
        LongStream.range(2, a.rank()).forEach(order::add);
        order.add(1L);
        return at.transpose(a, order);
    }

    private static Value axes(Backward at, long first, Window window) {
        return at.ints(LongStream.range(first, first + window.axes()).boxed().toList());
    }
}
