package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Dim.Known;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.WindowAxis;
import io.knabla.functions.compiler.onnx.WindowAxis.AutoPad;
import java.util.List;
import java.util.Optional;

/** Window attributes of a convolution or pooling: strides, dilations, pads and rounding. */
record WindowAttributes(
        Optional<List<Long>> strides,
        Optional<List<Long>> dilations,
        Optional<List<Long>> pads,
        AutoPad auto,
        boolean ceil) {

    static WindowAttributes of(Node node) {
        return new WindowAttributes(
                node.integers("strides"),
                node.integers("dilations"),
                node.integers("pads"),
                AutoPad.of(node.text("auto_pad", "")),
                node.integer("ceil_mode", 0) == 1);
    }

    boolean same() {
        return auto.same();
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
        return auto == AutoPad.NOTSET ? new Known(at(pads, axis, 0) + at(pads, axis + axes, 0)) : Dim.ZERO;
    }

    /** Number of window positions along an axis. */
    Dim count(Dim size, Dim kernel, int axis, int axes) {
        Dim stride = new Known(stride(axis));
        if (same()) {
            return size.ceilDividedBy(stride);
        }
        if (kernel instanceof Known(var known) && size instanceof Known(var in)) {
            return new Known(known(known, axis, axes).positions(in, ceil));
        }
        if (ceil && !stride.is(1)) {
            return Dim.UNKNOWN;
        }
        Dim room = size.plus(padding(axis, axes)).minus(span(kernel, axis));
        return room.dividedBy(stride).plus(Dim.ONE);
    }

    private WindowAxis known(long kernel, int axis, int axes) {
        boolean stated = auto == AutoPad.NOTSET;
        return new WindowAxis(
                kernel,
                stride(axis),
                at(dilations, axis, 1),
                stated ? at(pads, axis, 0) : 0,
                stated ? at(pads, axis + axes, 0) : 0);
    }

    static long at(Optional<List<Long>> list, int index, long otherwise) {
        return list.isPresent() && index < list.get().size() ? list.get().get(index) : otherwise;
    }
}
