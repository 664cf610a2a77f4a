package io.knabla.functions.graph.shape;

import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Operators with a window that slides: convolutions and pooling. */
final class Convolution {
    private Convolution() {}

    static void register(Map<String, ShapeRule> rules) {
        rules.put("Conv", op -> convolved(op, 1, op.element(0)));
        rules.put("com.microsoft.FusedConv", op -> convolved(op, 1, op.element(0)));
        rules.put("ConvInteger", op -> convolved(op, 1, ElementType.INT32));
        rules.put("QLinearConv", op -> convolved(op, 3, op.element(7)));
        rules.put("ConvTranspose", Convolution::transposed);
        rules.put("MaxPool", op -> pooled(op, true));
        rules.put("AveragePool", op -> pooled(op, false));
        rules.put("LpPool", op -> pooled(op, false));
        rules.put("com.microsoft.QLinearAveragePool", op -> pooled(op, false));
        Elementwise.each(
                rules,
                Convolution::global,
                "GlobalAveragePool",
                "GlobalMaxPool",
                "GlobalLpPool",
                "com.microsoft.QLinearGlobalAveragePool");
    }

    private static List<TensorType> convolved(OpContext op, int weight, ElementType element) {
        Shape w = op.shape(weight);
        List<Dim> kernel = kernel(op, w);
        Shape out = op.shape(0).with(1, w.dim(0));
        return List.of(TensorType.of(element, windows(op, out, kernel)));
    }

    private static List<TensorType> pooled(OpContext op, boolean indices) {
        List<Dim> kernel =
                op.node()
                        .integers("kernel_shape")
                        .map(list -> Shape.of(list).dims())
                        .orElseThrow(() -> ShapeUnknown.INSTANCE);
        Shape out = windows(op, op.shape(0), kernel);
        TensorType type = TensorType.of(op.element(0), out);
        return indices ? List.of(type, TensorType.of(ElementType.INT64, out)) : List.of(type);
    }

    private static List<TensorType> global(OpContext op) {
        Shape in = op.shape(0);
        var dims = new ArrayList<>(in.dims().subList(0, 2));
        for (int i = 2; i < in.rank(); i++) {
            dims.add(Dim.ONE);
        }
        return Layout.typed(op, new Shape(dims));
    }

    static List<Dim> kernel(OpContext op, Shape weight) {
        return op.node()
                .integers("kernel_shape")
                .map(list -> Shape.of(list).dims())
                .orElseGet(() -> weight.dims().subList(2, weight.rank()));
    }

    private static Shape windows(OpContext op, Shape in, List<Dim> kernel) {
        Optional<List<Long>> strides = op.node().integers("strides");
        Optional<List<Long>> dilations = op.node().integers("dilations");
        Optional<List<Long>> pads = op.node().integers("pads");
        String auto = op.node().text("auto_pad", "NOTSET");
        boolean ceil = op.node().integer("ceil_mode", 0) == 1;
        Shape out = in;
        for (int i = 0; i < kernel.size(); i++) {
            if (!in.dim(i + 2).known() || !kernel.get(i).known()) {
                out = out.with(i + 2, Dim.UNKNOWN);
                continue;
            }
            long size = in.dim(i + 2).or(0);
            long stride = at(strides, i, 1);
            long span = (kernel.get(i).or(1) - 1) * at(dilations, i, 1) + 1;
            long padding = at(pads, i, 0) + at(pads, i + kernel.size(), 0);
            long windows =
                    switch (auto) {
                        case "SAME_UPPER", "SAME_LOWER" -> Math.ceilDiv(size, stride);
                        case "VALID" -> Math.ceilDiv(size - span + 1, stride);
                        default -> slid(size, span, stride, padding, at(pads, i, 0), ceil);
                    };
            out = out.with(i + 2, Dim.of(Math.max(0, windows)));
        }
        return out;
    }

    private static long slid(
            long size, long span, long stride, long padding, long before, boolean ceil) {
        long room = size + padding - span;
        if (!ceil) {
            return Math.floorDiv(room, stride) + 1;
        }
        long windows = Math.ceilDiv(room, stride) + 1;
        // A window that starts beyond the data and its first padding does not count.
        return (windows - 1) * stride >= size + before ? windows - 1 : windows;
    }

    private static List<TensorType> transposed(OpContext op) {
        Shape in = op.shape(0);
        Shape w = op.shape(1);
        List<Dim> kernel = kernel(op, w);
        Shape out = in.with(1, w.dim(1).times(Dim.of(op.node().integer("group", 1))));
        Optional<List<Long>> fixed = op.node().integers("output_shape");
        Optional<List<Long>> strides = op.node().integers("strides");
        Optional<List<Long>> dilations = op.node().integers("dilations");
        Optional<List<Long>> pads = op.node().integers("pads");
        Optional<List<Long>> extra = op.node().integers("output_padding");
        boolean same = op.node().text("auto_pad", "NOTSET").startsWith("SAME");
        for (int i = 0; i < kernel.size(); i++) {
            Dim dim = in.dim(i + 2);
            if (fixed.isPresent()) {
                int skip = fixed.get().size() - kernel.size();
                out = out.with(i + 2, Dim.of(fixed.get().get(i + skip)));
            } else if (!dim.known() || !kernel.get(i).known()) {
                out = out.with(i + 2, Dim.UNKNOWN);
            } else {
                long stride = at(strides, i, 1);
                long span = (kernel.get(i).or(1) - 1) * at(dilations, i, 1) + 1;
                long padding = at(pads, i, 0) + at(pads, i + kernel.size(), 0);
                long size = stride * (dim.or(0) - 1) + at(extra, i, 0) + span - padding;
                out = out.with(i + 2, Dim.of(same ? dim.or(0) * stride : Math.max(0, size)));
            }
        }
        return Layout.typed(op, out);
    }

    private static long at(Optional<List<Long>> list, int index, long otherwise) {
        return list.isPresent() && index < list.get().size() ? list.get().get(index) : otherwise;
    }
}
