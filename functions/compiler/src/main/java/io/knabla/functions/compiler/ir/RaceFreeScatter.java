package io.knabla.functions.compiler.ir;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Rewrites ScatterND additions into a form whose result does not depend on the order of writes. ONNX Runtime's
 * ScatterND adds updates from several threads without a lock and loses some if rows share an index (seen with 1.30 on
 * two threads).
 */
public final class RaceFreeScatter {
    /** Up to this many elements, the engine (1.29, 1.30) runs the whole operation on one thread. */
    private static final long ONE_THREAD = 1 << 16;

    /** Rows compared with each other at once; the comparison matrix has the square of this many elements. */
    private static final long BLOCK = 1024;

    private static final int MAX_BLOCKS = 32;

    private RaceFreeScatter() {}

    /** Rewrites the operations of the main graph; those in bodies stay unchanged. */
    public static Dag of(Dag dag) {
        return Rewriter.apply(dag, RaceFreeScatter::rewritten);
    }

    private static Optional<List<Value>> rewritten(Ops code, Op op) {
        boolean adds = op.is("ScatterND")
                && op.attributes().text("reduction", "none").equals("add")
                && op.input(2).isFloat();
        if (!adds || op.input(1).shape().isEmpty() || op.input(0).shape().isEmpty()) {
            return Optional.empty();
        }
        Value indices = op.input(1);
        Value updates = op.input(2);
        Optional<Long> elements =
                product(updates, 0, updates.shape().map(Shape::rank).orElse(0));
        boolean alone = elements.isPresent() && elements.get() <= ONE_THREAD;
        if (alone || !indices.dim(-1).known() || distinct(indices)) {
            return Optional.empty();
        }
        return Optional.of(List.of(summed(code, op, indices, updates)));
    }

    private static Optional<Long> product(Value value, int from, int to) {
        if (value.shape().isEmpty()) {
            return Optional.empty();
        }
        Dim product = value.knownShape().slice(from, to).elements();
        return product instanceof Dim.Known(var size) ? Optional.of(size) : Optional.empty();
    }

    private static boolean distinct(Value indices) {
        return indices.dim(-1).is(1)
                && indices.knownIntegers()
                        .filter(n -> n.stream().allMatch(i -> i >= 0))
                        .filter(n -> new HashSet<>(n).size() == n.size())
                        .isPresent();
    }

    private static Value summed(Ops code, Op op, Value indices, Value updates) {
        Value data = op.input(0);
        Optional<Long> rows = product(indices, 0, indices.rank() - 1);
        Value rowShape = code.ints(-1, indices.dim(-1).or(1));
        Value flat = code.op("Reshape", indices, rowShape);
        Value places = places(code, data, flat);
        Value size = width(code, places, updates);
        if (rows.isEmpty() || rows.get() > BLOCK * MAX_BLOCKS) {
            return oneByOne(code, data, places, size, updates);
        }
        Value matrix = code.op("Reshape", updates, code.concat(0, code.ints(-1), size));
        return inBlocks(code, data, flat, places, matrix, rows.get());
    }

    /** Flattens the index of each row to one number. */
    private static Value places(Ops code, Value data, Value indices) {
        long depth = indices.dim(-1).or(1);
        Value places = null;
        for (int axis = 0; axis < depth; axis++) {
            Value size = code.sizeOf(data, axis);
            Value index = code.squeeze(code.slice(indices, 1, axis, axis + 1), 1);
            Value counted = code.where(code.less(index, code.integer(0)), code.add(index, size), index);
            places = places == null ? counted : code.add(code.mul(places, size), counted);
        }
        return places;
    }

    /** Number of elements of a row, as a vector of one element. */
    private static Value width(Ops code, Value places, Value updates) {
        Value rows = code.max(code.op("Size", places), code.integer(1));
        Value width = code.op("Div", code.op("Size", updates), rows);
        Value vector = code.reshape(width, code.ints(1));
        return width.knownIntegers().map(code::ints).orElse(vector);
    }

    /** Uses an operation that the engine runs on one thread only. */
    private static Value oneByOne(Ops code, Value data, Value places, Value width, Value updates) {
        Value first = code.mul(code.unsqueeze(places, 1), width);
        Value each = code.add(first, code.unsqueeze(code.indices(width), 0));
        Value flat = code.ints(-1);
        Value sums = code.scatterAdd(
                code.op("Reshape", data, flat), code.op("Reshape", each, flat), code.op("Reshape", updates, flat), 0);
        return code.reshape(sums, code.shapeOf(data));
    }

    /** Gives every row of equal index the whole sum; the order of writes then does not matter. */
    private static Value inBlocks(Ops code, Value data, Value indices, Value places, Value matrix, long rows) {
        Value sums = data;
        for (List<Long> block : blocks(rows)) {
            boolean whole = block.get(1) - block.get(0) == rows;
            Value index = whole ? indices : code.slice(indices, 0, block.get(0), block.get(1));
            Value place = whole ? places : code.slice(places, 0, block.get(0), block.get(1));
            Value update = whole ? matrix : code.slice(matrix, 0, block.get(0), block.get(1));
            Value same = code.equal(code.unsqueeze(place, 1), code.unsqueeze(place, 0));
            Value total = code.matmul(code.castLike(same, matrix), update);
            Value before = code.op("GatherND", sums, index);
            Value rowsOf = code.reshape(total, code.shapeOf(before));
            Value after = zeros(sums) ? rowsOf : code.add(before, rowsOf);
            sums = code.op("ScatterND", sums, index, after);
        }
        return sums;
    }

    private static boolean zeros(Value data) {
        return data.producer("Expand")
                .filter(op -> Identities.isConstant(op.input(0), 0))
                .isPresent();
    }

    private static List<List<Long>> blocks(long rows) {
        var blocks = new ArrayList<List<Long>>();
        for (long from = 0; from < rows; from += BLOCK) {
            blocks.add(List.of(from, Math.min(rows, from + BLOCK)));
        }
        return blocks;
    }
}
