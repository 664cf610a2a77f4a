package io.knabla.functions.compiler.onnx;

/**
 * Slides the window of a convolution or pooling along one axis; the only place with ONNX's arithmetic of pads and
 * output sizes.
 *
 * @param begin padding before the data
 * @param end padding behind it
 */
public record WindowAxis(long kernel, long stride, long dilation, long begin, long end) {
    /** Attribute {@code auto_pad}: who chooses the pads. */
    public enum AutoPad {
        NOTSET,
        VALID,
        SAME_UPPER,
        SAME_LOWER;

        /** An empty or unknown text counts as absent. */
        public static AutoPad of(String text) {
            return switch (text) {
                case "VALID" -> VALID;
                case "SAME_UPPER" -> SAME_UPPER;
                case "SAME_LOWER" -> SAME_LOWER;
                default -> NOTSET;
            };
        }

        public boolean same() {
            return this == SAME_UPPER || this == SAME_LOWER;
        }
    }

    /** Extent of the window, including dilation. */
    public long span() {
        return span(kernel, dilation);
    }

    public static long span(long kernel, long dilation) {
        return Math.addExact(Math.multiplyExact(kernel - 1, dilation), 1);
    }

    /** Number of window positions over {@code size} elements. */
    public long positions(long size, boolean ceil) {
        long room = Math.addExact(Math.addExact(size, begin), end) - span();
        if (!ceil) {
            return Math.floorDiv(room, stride) + 1;
        }
        long last = Math.ceilDiv(room, stride);
        // A window that starts beyond the data and its start padding does not count.
        return last * stride >= size + begin ? last : last + 1;
    }

    /** Number of elements without padding that this many windows cover: the output size of a transposed convolution. */
    public long covered(long positions) {
        return Math.addExact(Math.multiplyExact(stride, positions - 1), span()) - begin - end;
    }

    /** With the pads of {@code auto_pad} SAME: one position for each stride of the data. */
    public WindowAxis same(long size, AutoPad auto) {
        return covering(Math.ceilDiv(size, stride), size, auto);
    }

    /** With the pads such that this many windows cover {@code size}; the odd one is behind only for SAME_UPPER. */
    public WindowAxis covering(long positions, long size, AutoPad auto) {
        long total = Math.max(0, new WindowAxis(kernel, stride, dilation, 0, 0).covered(positions) - size);
        long before = auto == AutoPad.SAME_UPPER ? total / 2 : total - total / 2;
        return new WindowAxis(kernel, stride, dilation, before, total - before);
    }
}
