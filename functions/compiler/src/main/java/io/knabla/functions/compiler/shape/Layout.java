package io.knabla.functions.compiler.shape;

import static io.knabla.functions.compiler.shape.OpContext.axis;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shape rules of operators that rearrange elements into another shape or order. */
final class Layout {
    private Layout() {}

    static void register(Map<String, ShapeRule> rules) {
        rules.put("Reshape", Layout::reshape);
        rules.put("Flatten", Layout::flatten);
        rules.put("Squeeze", Layout::squeeze);
        rules.put("Unsqueeze", Layout::unsqueeze);
        rules.put("Transpose", Layout::transpose);
        rules.put("Concat", Layout::concat);
        rules.put("Split", Layout::split);
        rules.put("Expand", Layout::expand);
        rules.put("Tile", Layout::tile);
        rules.put("DepthToSpace", op -> blocks(op, true));
        rules.put("SpaceToDepth", op -> blocks(op, false));
    }

    private static List<Shape> reshape(OpContext op) {
        List<Dim> wanted = op.node().has("shape")
                ? ofLongs(op.node().integers("shape").orElse(List.of()))
                : op.integersOrUnknown(1);
        Optional<Shape> from = op.input(0).type().shape();
        boolean zeroIsZero = op.node().integer("allowzero", 0) == 1;
        var dims = new ArrayList<Dim>();
        int open = -1;
        for (int i = 0; i < wanted.size(); i++) {
            Dim dim = wanted.get(i);
            if (dim.is(0) && !zeroIsZero) {
                dim = from.isPresent() && i < from.get().rank() ? from.get().dim(i) : Dim.UNKNOWN;
            }
            // Only one size may be open; if two are unknown, neither can be inferred.
            if (dim.is(-1) || !dim.fixed() && open < 0) {
                open = i;
                dim = Dim.ONE;
            }
            dims.add(dim);
        }
        if (open >= 0) {
            dims.set(open, from.map(f -> rest(f.dims(), dims)).orElse(Dim.UNKNOWN));
        }
        return List.of(new Shape(dims));
    }

    private static List<Dim> ofLongs(List<Long> values) {
        return values.stream().<Dim>map(Dim.Known::new).toList();
    }

    /** Size of the open dimension, after equal dimensions on both sides cancel out. */
    private static Dim rest(List<Dim> from, List<Dim> to) {
        var above = new ArrayList<>(from);
        var below = new ArrayList<Dim>();
        for (Dim dim : to) {
            if (dim.is(0) || !dim.fixed() || !above.remove(dim)) {
                below.add(dim);
            }
        }
        return new Shape(above).elements().dividedBy(new Shape(below).elements());
    }

    private static List<Shape> flatten(OpContext op) {
        Shape in = op.shape(0);
        long at = op.node().integer("axis", 1);
        int axis = at == in.rank() ? in.rank() : axis(at, Math.max(1, in.rank()));
        return List.of(new Shape(
                List.of(in.slice(0, axis).elements(), in.slice(axis, in.rank()).elements())));
    }

    private static List<Shape> squeeze(OpContext op) {
        Shape in = op.shape(0);
        Optional<List<Long>> axes = op.numbers("axes", 1);
        var gone = new HashSet<Integer>();
        axes.ifPresent(list -> list.forEach(axis -> gone.add(axis(axis, in.rank()))));
        var dims = new ArrayList<Dim>();
        for (int i = 0; i < in.rank(); i++) {
            if (axes.isEmpty() && !in.dim(i).fixed()) {
                throw ShapeUnknownException.INSTANCE;
            }
            if (axes.isPresent() ? !gone.contains(i) : !in.dim(i).is(1)) {
                dims.add(in.dim(i));
            }
        }
        return List.of(new Shape(dims));
    }

    private static List<Shape> unsqueeze(OpContext op) {
        Shape in = op.shape(0);
        List<Long> axes = op.numbers("axes", 1).orElseThrow(() -> ShapeUnknownException.INSTANCE);
        int rank = in.rank() + axes.size();
        var fresh = new HashSet<Integer>();
        axes.forEach(axis -> fresh.add(axis(axis, rank)));
        var dims = new ArrayList<Dim>();
        int next = 0;
        for (int i = 0; i < rank; i++) {
            dims.add(fresh.contains(i) ? Dim.ONE : in.dim(next++));
        }
        return List.of(new Shape(dims));
    }

    private static List<Shape> transpose(OpContext op) {
        Shape in = op.shape(0);
        var dims = new ArrayList<>(in.dims());
        Optional<List<Long>> order = op.node().integers("perm");
        if (order.isEmpty()) {
            Collections.reverse(dims);
        } else {
            dims.clear();
            order.get().forEach(from -> dims.add(in.dim(axis(from, in.rank()))));
        }
        return List.of(new Shape(dims));
    }

    private static List<Shape> concat(OpContext op) {
        Shape out = op.shape(0);
        int axis = op.axis("axis", op.opset() < 4 ? 1 : 0, out.rank());
        Dim sum = out.dim(axis);
        for (int i = 1; i < op.node().inputs().size(); i++) {
            Shape more = op.shape(i);
            sum = sum.plus(more.dim(axis));
            for (int d = 0; d < out.rank(); d++) {
                out = out.dim(d).known() ? out : out.with(d, Merge.of(out.dim(d), more.dim(d)));
            }
        }
        return List.of(out.with(axis, sum));
    }

    private static List<Shape> split(OpContext op) {
        Shape in = op.shape(0);
        int axis = op.axis("axis", 0, in.rank());
        int parts = op.node().outputs().size();
        var out = new ArrayList<Shape>();
        for (Dim size : parts(op, in.dim(axis), parts)) {
            out.add(in.with(axis, size));
        }
        return out;
    }

    private static List<Dim> parts(OpContext op, Dim whole, int parts) {
        if (op.node().has("split")) {
            return Shape.of(op.node().integers("split").orElseThrow()).dims();
        }
        if (op.has(1)) {
            return op.integersOrUnknown(1);
        }
        Dim chunk = whole.ceilDividedBy(Dim.of(parts));
        var sizes = new ArrayList<>(Collections.nCopies(parts, chunk));
        Dim last = whole.minus(chunk.times(Dim.of(parts - 1)));
        sizes.set(parts - 1, last.or(0) < 0 ? Dim.ZERO : last);
        return sizes;
    }

    private static List<Shape> expand(OpContext op) {
        return List.of(Elementwise.broadcast(op.shape(0), new Shape(op.integersOrUnknown(1))));
    }

    private static List<Shape> tile(OpContext op) {
        Shape in = op.shape(0);
        var dims = new ArrayList<Dim>();
        List<Dim> times = op.input(1).integers().orElseGet(() -> Collections.nCopies(in.rank(), Dim.UNKNOWN));
        for (int i = 0; i < in.rank(); i++) {
            dims.add(in.dim(i).times(times.get(i)));
        }
        return List.of(new Shape(dims));
    }

    private static List<Shape> blocks(OpContext op, boolean toSpace) {
        Shape in = op.shape(0);
        Dim block = Dim.of(op.node().integer("blocksize", 1));
        Dim square = block.times(block);
        Dim channels = toSpace ? in.dim(1).dividedBy(square) : in.dim(1).times(square);
        return List.of(new Shape(List.of(
                in.dim(0),
                channels,
                toSpace ? in.dim(2).times(block) : in.dim(2).dividedBy(block),
                toSpace ? in.dim(3).times(block) : in.dim(3).dividedBy(block))));
    }
}
