package io.knabla.functions.compiler.importer;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.List;

/**
 * Lowers scaled dot-product attention to primitive operations. Query heads that share a key are stacked instead of
 * repeating the key; grouped heads therefore cost no copies.
 *
 * @param query {@code [batch, heads, length, size]}
 * @param key {@code [batch, key heads, total, size]}
 * @param value {@code [batch, key heads, total, value size]}
 */
record AttentionCore(Ops code, Value query, Value key, Value value) {

    /** Moves the heads to the second axis; a tensor with four axes already has them there. */
    static Value heads(Ops code, Value x, long heads) {
        if (x.rank() == 4) {
            return x;
        }
        if (heads < 1) {
            throw new UnsupportedOperatorException("does not say how many heads its inputs of three axes have");
        }
        return code.transpose(code.reshape(x, 0, 0, heads, -1), 0, 2, 1, 3);
    }

    /** Merges the heads: from {@code [batch, heads, length, size]} to {@code [batch, length, heads·size]}. */
    static Value joined(Ops code, Value x) {
        return code.reshape(code.transpose(x, 0, 2, 1, 3), 0, 0, -1);
    }

    /** {@code query · keyᵀ · scale}. */
    Value scores(double scale) {
        double factor = scale == 0 ? 1 / Math.sqrt(size(query, 3)) : scale;
        Value scaled = code.mul(query, factor);
        Value product = code.matmul(grouped(scaled), code.transposed(key));
        return ungrouped(product);
    }

    /** Sum of the values weighted by probabilities of {@code [batch, heads, length, total]}. */
    Value weighed(Value probabilities) {
        return ungrouped(code.matmul(grouped(probabilities), value));
    }

    private boolean shared() {
        return !query.dim(1).equals(key.dim(1));
    }

    private Value grouped(Value x) {
        if (!shared()) {
            return x;
        }
        long heads = size(key, 1);
        if (heads < 1 || size(query, 1) % heads != 0) {
            throw new UnsupportedOperatorException(
                    "has %s heads of queries for %d of keys; a multiple is needed".formatted(query.dim(1), heads));
        }
        Value shape = LoweringHelpers.joined(code, code.ints(0), code.ints(heads, -1), code.sizeOf(x, 3));
        return code.op("Reshape", x, shape);
    }

    private Value ungrouped(Value x) {
        if (!shared()) {
            return x;
        }
        Value shape = LoweringHelpers.joined(code, code.ints(0, size(query, 1)), code.sizeOf(query, 2), code.ints(-1));
        return code.op("Reshape", x, shape);
    }

    private static long size(Value x, int axis) {
        if (!(x.dim(axis) instanceof Dim.Known(var size))) {
            throw new UnsupportedOperatorException(
                    "needs the number and size of its heads as numbers, not as %s of %s".formatted(x.dim(axis), x));
        }
        return size;
    }

    /**
     * Mask of the keys that each query may attend to: those up to its own position after {@code offset} earlier keys.
     */
    Value causal(Value offset) {
        Value rows = code.unsqueeze(code.indices(code.sizeOf(query, 2)), 1);
        Value columns = code.unsqueeze(code.indices(code.sizeOf(key, 2)), 0);
        return code.lessOrEqual(columns, code.add(rows, offset));
    }

    /** Mask of the valid keys, given their number for each batch element. */
    Value filled(Value counts) {
        Value columns = code.unsqueeze(code.indices(code.sizeOf(key, 2)), 0, 1, 2);
        Value limits = code.unsqueeze(code.cast(counts, ElementType.INT64), 1, 2, 3);
        return code.less(columns, limits);
    }

    /** @param allowed boolean mask or null; a query without allowed keys attends to nothing */
    Value probabilities(Value scores, Value allowed, ElementType precision) {
        Value masked = allowed == null ? scores : hidden(scores, allowed);
        Value wide = code.cast(masked, precision);
        Value softmax = code.op("Softmax", Attributes.of("axis", 3), wide);
        Value result = code.cast(softmax, scores.element());
        return allowed == null ? result : code.where(allowed, result, code.scalar(result, 0));
    }

    private Value hidden(Value scores, Value allowed) {
        return code.where(allowed, scores, code.scalar(scores, Double.NEGATIVE_INFINITY));
    }

    /** Extends a mask that ends before the last key. */
    Value extended(Value mask, double filling) {
        Dim missing = key.dim(2).minus(mask.dim(-1));
        if (missing.is(0) || !missing.known()) {
            return mask;
        }
        List<Value> shape = new ArrayList<>();
        for (int axis = 0; axis < mask.rank() - 1; axis++) {
            shape.add(code.sizeOf(mask, axis));
        }
        shape.add(code.ints(missing.or(0)));
        Value sizes = LoweringHelpers.joined(code, shape.toArray(Value[]::new));
        return code.concat(mask.rank() - 1L, mask, code.fill(sizes, mask.element(), filling));
    }
}
