package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Derivative rules of operators that pick elements by position: adjoints are added at the positions of the elements.
 */
final class Gathers {
    private Gathers() {}

    static void register(Map<String, Rule> table) {
        table.put("Gather", Gathers::gather);
        table.put("GatherElements", Gathers::gatherElements);
        table.put("GatherND", Gathers::gatherNd);
        table.put("TopK", Gathers::topK);
        table.put("Compress", Gathers::compress);
        table.put("OneHot", Gathers::oneHot);
        table.put("Unique", (_, _, _) -> {
            throw new UnsupportedOperatorException(
                    "its gradient is not built in; sort with TopK, or take Unique out of the differentiated path");
        });
    }

    private static List<Value> gather(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        long axis = Axis.fromFront(op.attributes().integer("axis", 0), x.rank());
        Value indices = op.input(1);
        boolean single = indices.shape().filter(s -> s.rank() == 0).isPresent();
        return of(single ? one(at, x, indices, dy.getFirst(), axis) : many(at, x, indices, dy.getFirst(), axis));
    }

    /** One position: pads the adjoint with zeros before and after it. */
    private static Value one(RuleContext at, Value x, Value index, Value dy, long axis) {
        Value size = at.sizeOf(x, axis);
        Value given = at.reshape(at.cast(index, ElementType.INT64), at.ints(1));
        Value known = ScatterHelpers.foldConstants(at, given);
        Value before = known.knownIntegers().filter(n -> n.getFirst() >= 0).isPresent()
                ? known
                : at.where(at.less(known, at.ints(0)), at.add(known, size), known);
        Value after = at.sub(at.sub(size, before), at.ints(1));
        Value pads = ScatterHelpers.foldConstants(at, at.concat(0, before, after));
        return ScatterHelpers.padded(at, x, at.unsqueeze(dy, axis), pads, List.of(axis), null);
    }

    /** Adds rows along the first axis, where ScatterND takes whole rows. */
    private static Value many(RuleContext at, Value x, Value indices, Value dy, long axis) {
        int picked = indices.rank();
        Value rows = dy;
        var order = LongStream.range(0, x.rank()).boxed().toList();
        if (axis > 0) {
            var first = new ArrayList<Long>();
            LongStream.range(axis, axis + picked).forEach(first::add);
            LongStream.range(0, axis).forEach(first::add);
            LongStream.range(axis + picked, dy.rank()).forEach(first::add);
            rows = at.transpose(dy, first);
            order = new ArrayList<>(order);
            order.remove((int) axis);
            order.addFirst(axis);
        }
        Value sizes = at.shapeOf(x);
        Value shape = axis == 0 ? sizes : ScatterHelpers.foldConstants(at, at.gather(sizes, at.ints(order), 0));
        Value zeros = at.fill(shape, dy.element(), 0);
        Value at64 = at.cast(indices, ElementType.INT64);
        Value column = at.unsqueeze(at64, picked);
        Value sums = ScatterHelpers.scatterNdAdd(at, zeros, column, rows);
        if (axis == 0) {
            return sums;
        }
        var back = new ArrayList<Long>(LongStream.rangeClosed(1, axis).boxed().toList());
        back.add(0L);
        LongStream.range(axis + 1, x.rank()).forEach(back::add);
        return at.transpose(sums, back);
    }

    private static List<Value> gatherElements(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        long axis = op.attributes().integer("axis", 0);
        return of(ScatterHelpers.scatterAdd(at, at.zeros(x), op.input(1), dy.getFirst(), axis), null);
    }

    private static List<Value> gatherNd(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value indices = withBatch(at, op, (int) op.attributes().integer("batch_dims", 0));
        return of(ScatterHelpers.scatterNdAdd(at, at.zeros(x), indices, dy.getFirst()), null);
    }

    /** Extends the indices by the batch axes, as ScatterND has no batch. */
    private static Value withBatch(RuleContext at, Op op, int batch) {
        Value indices = op.input(1);
        if (batch == 0) {
            return indices;
        }
        int rank = indices.rank();
        Value rows = at.slice(at.shapeOf(indices), 0, 0, rank - 1);
        Value shape = ScatterHelpers.foldConstants(at, at.concat(0, rows, at.ints(1)));
        var parts = new ArrayList<Value>();
        for (int axis = 0; axis < batch; axis++) {
            var spread = new ArrayList<>(LongStream.range(0, rank).boxed().toList());
            spread.remove(axis);
            Value places = at.indices(at.sizeOf(indices, axis));
            parts.add(at.expand(at.unsqueeze(places, spread), shape));
        }
        parts.add(indices);
        return at.concat(rank - 1, parts);
    }

    /** No element is picked twice: nothing needs adding. */
    private static List<Value> topK(RuleContext at, Op op, List<Value> dy) {
        if (dy.getFirst() == null) {
            return List.of();
        }
        Value x = op.input(0);
        Attributes axis = Attributes.of("axis", op.attributes().integer("axis", -1));
        return of(at.op("ScatterElements", axis, at.zeros(x), op.output(1), dy.getFirst()), null);
    }

    private static List<Value> compress(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value picked = at.squeeze(at.op("NonZero", op.input(1)), 0);
        if (op.attributes().has("axis")) {
            long axis = Axis.fromFront(op.attributes().integer("axis", 0), x.rank());
            return of(many(at, x, picked, dy.getFirst(), axis), null);
        }
        return of(ScatterHelpers.scatterByIndex(at, x, picked, dy.getFirst()), null);
    }

    /** Each of the two values fills the positions that the other does not. */
    private static List<Value> oneHot(RuleContext at, Op op, List<Value> dy) {
        if (!at.needsAdjoint(op, 2)) {
            return List.of();
        }
        Value g = dy.getFirst();
        Value values = op.input(2);
        Value unit = at.concat(0, at.reshape(at.scalar(values, 0), 1), at.reshape(at.scalar(values, 1), 1));
        Value hot = at.op("OneHot", op.attributes(), op.input(0), op.input(1), unit);
        Value on = at.sumAll(at.mul(g, hot));
        Value off = at.sumAll(at.mul(g, at.sub(at.scalar(values, 1), hot)));
        return of(null, null, at.concat(0, at.reshape(off, 1), at.reshape(on, 1)));
    }
}
