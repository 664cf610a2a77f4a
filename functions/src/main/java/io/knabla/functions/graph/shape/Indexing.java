package io.knabla.functions.graph.shape;

import static io.knabla.functions.graph.shape.OpContext.axis;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.TensorType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Operators that pick, place or resize. */
final class Indexing {
    private Indexing() {}

    static void register(Map<String, ShapeRule> rules) {
        rules.put("Gather", Indexing::gather);
        rules.put("GatherElements", op -> Layout.typed(op, op.shape(1)));
        rules.put("GatherND", Indexing::gatherNd);
        Elementwise.each(
                rules,
                Elementwise::same,
                "Scatter",
                "ScatterElements",
                "ScatterND",
                "TensorScatter");
        rules.put("Slice", Indexing::slice);
        rules.put("Pad", Indexing::pad);
        rules.put("OneHot", Indexing::oneHot);
        rules.put("TopK", Indexing::topK);
        rules.put("NonZero", Indexing::nonZero);
        rules.put("Resize", Indexing::resize);
        rules.put("Upsample", Indexing::resize);
        rules.put("GridSample", Indexing::gridSample);
    }

    private static List<TensorType> gather(OpContext op) {
        Shape data = op.shape(0);
        int axis = op.axis("axis", 0, data.rank());
        return Layout.typed(
                op,
                data.slice(0, axis).append(op.shape(1)).append(data.slice(axis + 1, data.rank())));
    }

    private static List<TensorType> gatherNd(OpContext op) {
        Shape data = op.shape(0);
        Shape indices = op.shape(1);
        int batch = (int) op.node().integer("batch_dims", 0);
        int depth = (int) indices.dim(-1).or(-1);
        if (depth < 0) {
            throw ShapeUnknown.INSTANCE;
        }
        return Layout.typed(
                op,
                indices.slice(0, indices.rank() - 1)
                        .append(data.slice(batch + depth, data.rank())));
    }

    private static List<TensorType> slice(OpContext op) {
        Shape in = op.shape(0);
        List<Dim> starts = dims(op, "starts", 1);
        List<Dim> ends = dims(op, "ends", 2);
        Optional<List<Long>> axes = op.numbers("axes", 3);
        Optional<List<Long>> steps = op.numbers("steps", 4);
        Shape out = in;
        for (int i = 0; i < starts.size(); i++) {
            int axis = axis(axes.isPresent() ? axes.get().get(i) : i, in.rank());
            long step = steps.isPresent() ? steps.get().get(i) : 1;
            out = out.with(axis, sliced(in.dim(axis), starts.get(i), ends.get(i), step));
        }
        return Layout.typed(op, out);
    }

    private static List<Dim> dims(OpContext op, String attribute, int input) {
        return op.node()
                .integers(attribute)
                .map(list -> list.stream().<Dim>map(Dim.Known::new).toList())
                .orElseGet(() -> op.integers(input));
    }

    static Dim sliced(Dim size, Dim start, Dim end, long step) {
        if (start.is(0) && step == 1 && (end.equals(size) || end.or(0) >= Integer.MAX_VALUE)) {
            return size;
        }
        if (!(size instanceof Dim.Known(var n))
                || !(start instanceof Dim.Known(var from))
                || !(end instanceof Dim.Known(var to))) {
            return Dim.UNKNOWN;
        }
        long first = from < 0 ? from + n : from;
        long last = to < 0 ? to + n : to;
        if (step > 0) {
            first = Math.clamp(first, 0, n);
            last = Math.clamp(last, 0, n);
            return Dim.of(Math.max(0, Math.ceilDiv(last - first, step)));
        }
        first = Math.clamp(first, -1, n - 1);
        last = Math.clamp(last, -1, n - 1);
        return Dim.of(Math.max(0, Math.ceilDiv(last - first, step)));
    }

    private static List<TensorType> pad(OpContext op) {
        Shape in = op.shape(0);
        List<Long> pads = op.numbers("pads", 1).orElseThrow(() -> ShapeUnknown.INSTANCE);
        int half = pads.size() / 2;
        Optional<List<Long>> axes = op.has(3) ? Optional.of(op.numbers(3)) : Optional.empty();
        Shape out = in;
        for (int i = 0; i < half; i++) {
            int axis = axis(axes.isPresent() ? axes.get().get(i) : i, in.rank());
            long more = pads.get(i) + pads.get(i + half);
            Dim dim = in.dim(axis);
            out =
                    out.with(
                            axis,
                            more == 0 ? dim : dim.known() ? Dim.of(dim.or(0) + more) : Dim.UNKNOWN);
        }
        return Layout.typed(op, out);
    }

    private static List<TensorType> oneHot(OpContext op) {
        Shape in = op.shape(0);
        long at = op.node().integer("axis", -1);
        int axis = axis(at, in.rank() + 1);
        Shape depth = new Shape(List.of(op.integers(1).getFirst()));
        return List.of(
                TensorType.of(
                        op.element(2),
                        in.slice(0, axis).append(depth).append(in.slice(axis, in.rank()))));
    }

    private static List<TensorType> topK(OpContext op) {
        Shape in = op.shape(0);
        Dim k = op.node().has("k") ? Dim.of(op.node().integer("k", 1)) : op.integers(1).getFirst();
        Shape out = in.with(op.axis("axis", -1, in.rank()), k);
        return List.of(TensorType.of(op.element(0), out), TensorType.of(ElementType.INT64, out));
    }

    /** How many are not zero only the data knows; the rank is known at least. */
    private static List<TensorType> nonZero(OpContext op) {
        return List.of(
                TensorType.of(
                        ElementType.INT64,
                        new Shape(List.of(Dim.of(op.shape(0).rank()), Dim.UNKNOWN))));
    }

    private static List<TensorType> resize(OpContext op) {
        Shape in = op.shape(0);
        if (op.has(3)) {
            if (!op.node().text("keep_aspect_ratio_policy", "stretch").equals("stretch")) {
                throw ShapeUnknown.INSTANCE;
            }
            return Layout.typed(op, resized(in, op.integers(3), op.node().integers("axes")));
        }
        List<Double> scales = scales(op);
        var dims = new ArrayList<Dim>();
        for (int i = 0; i < in.rank(); i++) {
            double scale = scales.get(i);
            Dim dim = in.dim(i);
            dims.add(
                    scale == 1
                            ? dim
                            : dim.known()
                                    ? Dim.of((long) Math.floor(dim.or(0) * scale))
                                    : Dim.UNKNOWN);
        }
        return Layout.typed(op, new Shape(dims));
    }

    private static Shape resized(Shape in, List<Dim> sizes, Optional<List<Long>> axes) {
        if (axes.isEmpty()) {
            return new Shape(sizes);
        }
        Shape out = in;
        for (int i = 0; i < sizes.size(); i++) {
            out = out.with(axis(axes.get().get(i), in.rank()), sizes.get(i));
        }
        return out;
    }

    /** Scales are floats: an attribute once, then input 1, then input 2. */
    private static List<Double> scales(OpContext op) {
        var attribute = op.node().attributes().get("scales");
        if (attribute != null) {
            return attribute.getFloatsList().stream().map(Float::doubleValue).toList();
        }
        TensorProto tensor =
                op.input(op.node().inputs().size() > 2 ? 2 : 1)
                        .constant()
                        .orElseThrow(() -> ShapeUnknown.INSTANCE);
        var scales = new ArrayList<Double>();
        tensor.getFloatDataList().forEach(f -> scales.add(f.doubleValue()));
        var raw = tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        while (raw.remaining() >= 4) {
            scales.add((double) raw.getFloat());
        }
        return scales;
    }

    private static List<TensorType> gridSample(OpContext op) {
        Shape in = op.shape(0);
        Shape grid = op.shape(1);
        return Layout.typed(op, in.slice(0, 2).append(grid.slice(1, grid.rank() - 1)));
    }
}
