package io.knabla.functions.compiler.interpreter;

import java.util.Arrays;

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

    /** Geometry of a window along each axis. */
    record Geometry(int[] kernel, int[] strides, int[] dilations, int[] begins, int[] ends) {
        static Geometry of(Call call, int[] kernel) {
            int n = kernel.length;
            int[] pads = list(call, "pads", 2 * n, 0);
            return new Geometry(
                    kernel,
                    list(call, "strides", n, 1),
                    list(call, "dilations", n, 1),
                    Arrays.copyOf(pads, n),
                    Arrays.copyOfRange(pads, n, 2 * n));
        }

        int span(int axis) {
            return Math.addExact(Math.multiplyExact(kernel[axis] - 1, dilations[axis]), 1);
        }
    }

    static int[] list(Call call, String attribute, int length, int otherwise) {
        if (call.integers(attribute).isEmpty()) {
            int[] same = new int[length];
            Arrays.fill(same, otherwise);
            return same;
        }
        long[] stated = call.integers(attribute).get();
        if (stated.length != length) {
            throw new EvaluationException("%s of length %d, not %d".formatted(attribute, stated.length, length));
        }
        return Arrays.stream(stated).mapToInt(Math::toIntExact).toArray();
    }

    static Windows of(Call call, int[] in, int[] kernel) {
        Geometry motion = Geometry.of(call, kernel);
        String auto = call.text("auto_pad", "NOTSET");
        boolean ceil = call.integer("ceil_mode", 0) == 1;
        int[] out = new int[in.length];
        for (int d = 0; d < in.length; d++) {
            int stride = motion.strides[d];
            if (auto.startsWith("SAME")) {
                out[d] = Math.ceilDiv(in[d], stride);
                int total = Math.max(0, (out[d] - 1) * stride + motion.span(d) - in[d]);
                int less = total / 2;
                motion.begins[d] = auto.equals("SAME_UPPER") ? less : total - less;
                motion.ends[d] = total - motion.begins[d];
                continue;
            }
            int room = in[d] + motion.begins[d] + motion.ends[d] - motion.span(d);
            out[d] = (ceil ? Math.ceilDiv(room, stride) : Math.floorDiv(room, stride)) + 1;
            if (ceil && (out[d] - 1) * stride >= in[d] + motion.begins[d]) {
                out[d]--;
            }
        }
        return of(call, in, out, motion);
    }

    static Windows of(Call call, int[] in, int[] out, Geometry motion) {
        int size = Dims.size(motion.kernel);
        call.spend(Dims.size(out), size);
        int[] taps = new int[Math.multiplyExact(Dims.size(out), size)];
        int[] outAt = Dims.strides(out);
        int[] kernelAt = Dims.strides(motion.kernel);
        int[] inAt = Dims.strides(in);
        for (int i = 0; i < taps.length; i++) {
            int tap = 0;
            for (int d = 0; d < in.length && tap != BEYOND; d++) {
                int o = i / size / outAt[d] % out[d];
                int k = i % size / kernelAt[d] % motion.kernel[d];
                int at = o * motion.strides[d] + k * motion.dilations[d] - motion.begins[d];
                if (at >= in[d] + motion.ends[d]) {
                    tap = BEYOND;
                } else if (at < 0 || at >= in[d]) {
                    tap = PADDING;
                } else {
                    tap = tap < 0 ? tap : tap + at * inAt[d];
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
