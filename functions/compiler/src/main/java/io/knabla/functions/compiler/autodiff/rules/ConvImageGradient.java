package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

/** Derivative rule of a convolution with respect to its image. */
final class ConvImageGradient {
    /** Algorithm that computes it. */
    enum Algorithm {
        /** ConvTranspose: a product, and a sum of overlapping patches. */
        SPREAD,
        /** A convolution with the kernel flipped and its channels swapped. */
        FLIP
    }

    /** @param reason explanation for readers of the plan */
    record Choice(Algorithm algorithm, String reason) {}

    private static final long FEW_CHANNELS = 8;

    private ConvImageGradient() {}

    /**
     * @param channels of the image, -1 if known at run time only
     * @param prepared whether the weight is a constant, which is flipped before any run
     */
    static Choice choose(Window window, long channels, boolean prepared) {
        if (!window.hasKnownKernel()) {
            return new Choice(Algorithm.SPREAD, "its kernel is known at run only");
        }
        if (!window.dense()) {
            return new Choice(Algorithm.SPREAD, "its stride leaves gaps");
        }
        for (int i = 0; i < window.axes(); i++) {
            boolean beyond = window.span(i) - 1 < window.begins().get(i)
                    || window.span(i) - 1 < window.ends().get(i);
            if (beyond) {
                return new Choice(Algorithm.SPREAD, "it is padded by more than its kernel reaches");
            }
        }
        if (channels < FEW_CHANNELS) {
            return new Choice(Algorithm.SPREAD, "few or unknown channels");
        }
        if (window.taps() == 1) {
            return new Choice(Algorithm.FLIP, "a kernel of one tap has nothing to flip");
        }
        return prepared
                ? new Choice(Algorithm.FLIP, "the engine prepares constant kernels")
                : new Choice(Algorithm.SPREAD, "turning the kernel in every run costs more than it saves");
    }

    static Value of(RuleContext at, Value image, Value weight, Value dy, Window window, long groups) {
        boolean prepared = weight.constant().isPresent();
        return switch (choose(window, image.dim(1).or(-1), prepared).algorithm()) {
            case SPREAD -> spread(at, image, weight, dy, window, groups);
            case FLIP -> flip(at, weight, dy, window, groups);
        };
    }

    /** Restores sizes that a stride skipped, by output_padding. */
    static Value spread(RuleContext at, Value image, Value weight, Value dy, Window window, long groups) {
        var ends = new ArrayList<Long>();
        var extra = new ArrayList<Long>();
        for (int i = 0; i < window.axes(); i++) {
            long rest;
            if (window.hasKnownKernel()
                    && image.dim(i + 2) instanceof Dim.Known(var in)
                    && dy.dim(i + 2) instanceof Dim.Known(var out)) {
                rest = (out - 1) * window.strides().get(i) + window.span(i);
                rest -= in + window.begins().get(i);
            } else if (window.strides().get(i) == 1) {
                rest = window.ends().get(i);
            } else {
                return cropped(at, image, weight, dy, window, groups);
            }
            ends.add(Math.max(0, rest));
            extra.add(Math.max(0, -rest));
        }
        var pads = new ArrayList<>(window.begins());
        pads.addAll(ends);
        return transposed(at, weight, dy, window.padded(pads), groups, extra);
    }

    private static Value transposed(
            RuleContext at, Value weight, Value dy, Window window, long groups, List<Long> extra) {
        Attributes attributes = window.attributes(groups).with("output_padding", extra);
        return at.op("ConvTranspose", attributes, dy, weight);
    }

    /** Uses as much output_padding as may be needed, and crops the image. */
    private static Value cropped(RuleContext at, Value image, Value weight, Value dy, Window window, long groups) {
        List<Long> none = Collections.nCopies(2 * window.axes(), 0L);
        List<Long> extra = window.strides().stream().map(s -> s - 1).toList();
        Value wide = transposed(at, weight, dy, window.padded(none), groups, extra);
        Value starts = at.ints(window.begins());
        Value sizes = at.op("Shape", Attributes.of("start", 2), image);
        return at.slice(wide, starts, at.op("Add", sizes, starts), axes(at, window));
    }

    private static Value flip(RuleContext at, Value weight, Value dy, Window window, long groups) {
        var pads = new ArrayList<Long>();
        for (int i = 0; i < window.axes(); i++) {
            pads.add(window.span(i) - 1 - window.begins().get(i));
        }
        for (int i = 0; i < window.axes(); i++) {
            pads.add(window.span(i) - 1 - window.ends().get(i));
        }
        Value flipped = swapped(at, flipped(at, weight, window), groups);
        return at.op("Conv", window.padded(pads).attributes(groups), dy, flipped);
    }

    private static Value flipped(RuleContext at, Value weight, Window window) {
        if (window.taps() == 1) {
            return weight;
        }
        int axes = window.axes();
        return at.op(
                "Slice",
                weight,
                at.ints(Collections.nCopies(axes, -1L)),
                at.ints(Collections.nCopies(axes, Long.MIN_VALUE)),
                axes(at, window),
                at.ints(Collections.nCopies(axes, -1L)));
    }

    private static Value axes(RuleContext at, Window window) {
        return at.ints(LongStream.range(2, 2L + window.axes()).boxed().toList());
    }

    /** Swaps the channels of the result and of the image within each group. */
    private static Value swapped(RuleContext at, Value weight, long groups) {
        int rank = weight.rank();
        if (groups == 1) {
            return at.transpose(weight, moved(rank, 1, 0));
        }
        List<Long> sizes = weight.sizes()
                .orElseThrow(() -> new io.knabla.functions.compiler.ir.UnsupportedOperatorException(
                        "the sizes of the weight of its groups are not known"));
        var split = new ArrayList<>(sizes);
        split.set(0, sizes.get(0) / groups);
        split.addFirst(groups);
        var joined = new ArrayList<>(sizes);
        joined.set(0, groups * sizes.get(1));
        joined.set(1, sizes.get(0) / groups);
        Value apart = at.reshape(weight, at.ints(split));
        return at.reshape(at.transpose(apart, moved(rank + 1, 0, 2, 1)), at.ints(joined));
    }

    /** Permutation with these axes first, then the others in order. */
    static List<Long> moved(int rank, long... first) {
        var all = new ArrayList<>(LongStream.of(first).boxed().toList());
        LongStream.range(0, rank).filter(axis -> !all.contains(axis)).forEach(all::add);
        return all;
    }
}
