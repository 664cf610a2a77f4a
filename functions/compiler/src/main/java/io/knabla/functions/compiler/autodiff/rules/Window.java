package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.WindowAxis;
import io.knabla.functions.compiler.onnx.WindowAxis.AutoPad;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Sliding window of a convolution or pooling over an image; every list has one entry per spatial axis.
 *
 * @param kernel -1 for a size known at run time only
 * @param begins zeros before the image
 * @param ends zeros after it
 */
record Window(List<Long> kernel, List<Long> strides, List<Long> dilations, List<Long> begins, List<Long> ends) {

    /** Kernel size that is known at run time only. */
    static final long UNKNOWN = -1;

    /** The window of a convolution with this weight. */
    static Window of(Op op, Value weight) {
        var kernel = new ArrayList<Long>();
        for (int i = 2; i < weight.rank(); i++) {
            kernel.add(weight.dim(i).or(UNKNOWN));
        }
        return of(op, kernel);
    }

    /** The window that the attributes describe. */
    static Window of(Op op) {
        List<Long> kernel = op.attributes()
                .integers("kernel_shape")
                .orElseThrow(() -> new UnsupportedOperatorException("the size of its kernel is not known"));
        return of(op, kernel);
    }

    private static Window of(Op op, List<Long> kernel) {
        int axes = kernel.size();
        List<Long> ones = Collections.nCopies(axes, 1L);
        Attributes given = op.attributes();
        List<Long> pads = given.integers("pads").orElse(Collections.nCopies(2 * axes, 0L));
        // Import states the pads wherever the sizes are known.
        if (AutoPad.of(given.text("auto_pad", "")).same() || given.has("output_shape")) {
            throw new UnsupportedOperatorException(
                    "its pads follow from sizes that only a run knows; state pads, or fix the sizes of its input and its kernel");
        }
        return new Window(
                kernel,
                given.integers("strides").orElse(ones),
                given.integers("dilations").orElse(ones),
                pads.subList(0, axes),
                pads.subList(axes, 2 * axes));
    }

    Window padded(List<Long> pads) {
        return new Window(
                kernel,
                strides,
                dilations,
                List.copyOf(pads.subList(0, axes())),
                List.copyOf(pads.subList(axes(), 2 * axes())));
    }

    int axes() {
        return kernel.size();
    }

    /** Whether the size of the kernel is known. */
    boolean hasKnownKernel() {
        return kernel.stream().noneMatch(k -> k == UNKNOWN);
    }

    /** Number of pixels that the kernel spans along an axis. */
    long span(int axis) {
        return WindowAxis.span(kernel.get(axis), dilations.get(axis));
    }

    long taps() {
        return kernel.stream().reduce(1L, Math::multiplyExact);
    }

    boolean dense() {
        return strides.stream().allMatch(s -> s == 1);
    }

    boolean unpadded() {
        return pads().stream().allMatch(p -> p == 0);
    }

    List<Long> pads() {
        var pads = new ArrayList<>(begins);
        pads.addAll(ends);
        return pads;
    }

    /** As attributes of Conv or ConvTranspose. */
    Attributes attributes(long groups) {
        Attributes moving = Attributes.of("strides", strides)
                .with("dilations", dilations)
                .with("pads", pads())
                .with("group", groups);
        return hasKnownKernel() ? moving.with("kernel_shape", kernel) : moving;
    }
}
