package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Dim.Known;
import io.knabla.functions.compiler.onnx.Node;
import java.util.List;
import java.util.Optional;

/** Window attributes of a convolution or pooling: strides, dilations, pads and rounding. */
record WindowAttributes(
        Optional<List<Long>> strides,
        Optional<List<Long>> dilations,
        Optional<List<Long>> pads,
        String auto,
        boolean ceil) {

    static WindowAttributes of(Node node) {
        return new WindowAttributes(
                node.integers("strides"),
                node.integers("dilations"),
                node.integers("pads"),
                node.text("auto_pad", "NOTSET"),
                node.integer("ceil_mode", 0) == 1);
    }

    boolean same() {
        return auto.startsWith("SAME");
    }

    long stride(int axis) {
        long stride = at(strides, axis, 1);
        if (stride < 1) {
            throw ShapeUnknownException.INSTANCE;
        }
        return stride;
    }

    /** Extent of a window, including dilation. */
    Dim span(Dim kernel, int axis) {
        return kernel.minus(Dim.ONE).times(new Known(at(dilations, axis, 1))).plus(Dim.ONE);
    }

    /** @param axes total number, because all start pads precede all end pads */
    Dim padding(int axis, int axes) {
        return auto.equals("NOTSET") ? new Known(at(pads, axis, 0) + at(pads, axis + axes, 0)) : Dim.ZERO;
    }

    /** Number of window positions along an axis. */
    Dim count(Dim size, Dim kernel, int axis, int axes) {
        Dim stride = new Known(stride(axis));
        if (same()) {
            return size.ceilDividedBy(stride);
        }
        Dim room = size.plus(padding(axis, axes)).minus(span(kernel, axis));
        if (!ceil || auto.equals("VALID") || stride.is(1)) {
            return room.dividedBy(stride).plus(Dim.ONE);
        }
        if (!(room instanceof Known(var left)) || !(size instanceof Known(var known))) {
            return Dim.UNKNOWN;
        }
        long windows = Math.ceilDiv(left, stride(axis)) + 1;
        // A window that starts beyond the data and its start padding does not count.
        boolean beyond = (windows - 1) * stride(axis) >= known + at(pads, axis, 0);
        return new Known(beyond ? windows - 1 : windows);
    }

    static long at(Optional<List<Long>> list, int index, long otherwise) {
        return list.isPresent() && index < list.get().size() ? list.get().get(index) : otherwise;
    }
}
