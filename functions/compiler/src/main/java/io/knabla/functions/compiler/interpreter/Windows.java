package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.WindowAxis;
import io.knabla.functions.compiler.onnx.WindowAxis.AutoPad;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Elements that a sliding window covers at each of its positions.
 *
 * @param in spatial dims of the input
 * @param out spatial dims of the output, one window per element
 * @param kernel elements in a window
 * @param taps for window o and element k at {@code o·kernel + k}: a position in the input, {@link #PADDING} or
 *     {@link #BEYOND}
 */
record Windows(int[] in, int[] out, int kernel, int[] taps) {
    static final int PADDING = -1;

    /** Outside even the padding, in a last window that exists because of rounding up. */
    static final int BEYOND = -2;

    /** The window of a call along each axis, with the pads that its attributes state. */
    static List<WindowAxis> axes(Call call, int[] kernel) {
        int n = kernel.length;
        long[] strides = list(call, "strides", n, 1);
        long[] dilations = list(call, "dilations", n, 1);
        long[] pads = list(call, "pads", 2 * n, 0);
        return IntStream.range(0, n)
                .mapToObj(i -> new WindowAxis(kernel[i], strides[i], dilations[i], pads[i], pads[i + n]))
                .toList();
    }

    static long[] list(Call call, String attribute, int length, long otherwise) {
        long[] stated = call.integers(attribute)
                .orElseGet(
                        () -> LongStream.generate(() -> otherwise).limit(length).toArray());
        if (stated.length != length) {
            throw new EvaluationException("%s of length %d, not %d".formatted(attribute, stated.length, length));
        }
        return stated;
    }

    static Windows of(Call call, int[] in, int[] kernel) {
        AutoPad auto = AutoPad.of(call.text("auto_pad", ""));
        boolean ceil = call.integer("ceil_mode", 0) == 1;
        var axes = new ArrayList<>(axes(call, kernel));
        int[] out = new int[in.length];
        for (int d = 0; d < in.length; d++) {
            if (auto.same()) {
                axes.set(d, axes.get(d).same(in[d], auto));
            }
            out[d] = Math.toIntExact(axes.get(d).positions(in[d], ceil && !auto.same()));
        }
        return of(call, in, out, axes);
    }

    static Windows of(Call call, int[] in, int[] out, List<WindowAxis> axes) {
        int[] kernel =
                axes.stream().mapToInt(axis -> Math.toIntExact(axis.kernel())).toArray();
        int size = Dims.size(kernel);
        call.spend(Dims.size(out), size);
        int[] taps = new int[Math.multiplyExact(Dims.size(out), size)];
        int[] outAt = Dims.strides(out);
        int[] kernelAt = Dims.strides(kernel);
        int[] inAt = Dims.strides(in);
        for (int i = 0; i < taps.length; i++) {
            int tap = 0;
            for (int d = 0; d < in.length && tap != BEYOND; d++) {
                WindowAxis axis = axes.get(d);
                long o = i / size / outAt[d] % out[d];
                long k = i % size / kernelAt[d] % kernel[d];
                long at = o * axis.stride() + k * axis.dilation() - axis.begin();
                if (at >= in[d] + axis.end()) {
                    tap = BEYOND;
                } else if (at < 0 || at >= in[d]) {
                    tap = PADDING;
                } else {
                    tap = tap < 0 ? tap : tap + (int) at * inAt[d];
                }
            }
            taps[i] = tap;
        }
        return new Windows(in, out, size, taps);
    }

    int count() {
        return Dims.size(out);
    }

    int area() {
        return Dims.size(in);
    }

    int tap(int window, int k) {
        return taps[window * kernel + k];
    }
}
