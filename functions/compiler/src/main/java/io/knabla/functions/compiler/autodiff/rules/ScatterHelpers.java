package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Helpers that scatter adjoints back to the positions that elements were gathered from. */
final class ScatterHelpers {
    private ScatterHelpers() {}

    /** Replaces integers by a constant if their values are known. */
    static Value foldConstants(RuleContext at, Value integers) {
        return integers.constant().isPresent()
                ? integers
                : integers.knownIntegers()
                        .filter(_ -> integers.shape().filter(s -> s.rank() == 1).isPresent())
                        .map(at::ints)
                        .orElse(integers);
    }

    /** Emits an operation whose result is declared to have the type of {@code like}. */
    static Value opOfType(RuleContext at, Value like, String operator, Attributes attributes, Value... in) {
        Op.Spec spec = Op.Spec.of(operator, attributes, Arrays.asList(in));
        return at.builder().op(spec, 1, List.of(), List.of(like.type())).output();
    }

    /**
     * Pads along some axes, but states the pads of all: ONNX Runtime's transpose optimiser misreads pads with axes as
     * pads of all axes.
     *
     * @param like value that has the type of the result
     * @param pads all starts, then all ends
     * @param fill null for zeros
     */
    static Value padded(RuleContext at, Value like, Value x, Value pads, List<Long> axes, Value fill) {
        Value full = full(at, x.rank(), pads, axes);
        return opOfType(at, like, "Pad", Attributes.NONE, x, full, fill);
    }

    /** Pads with zeros; the type of the result is inferred. */
    static Value padded(RuleContext at, Value x, Value pads, List<Long> axes) {
        return at.pad(x, full(at, x.rank(), pads, axes));
    }

    private static Value full(RuleContext at, int rank, Value pads, List<Long> axes) {
        var all = new ArrayList<Value>(Collections.nCopies(2 * rank, at.ints(0)));
        for (int i = 0; i < axes.size(); i++) {
            int axis = (int) (axes.get(i) < 0 ? axes.get(i) + rank : axes.get(i));
            all.set(axis, entry(at, pads, i));
            all.set(axis + rank, entry(at, pads, i + axes.size()));
        }
        return foldConstants(at, at.concat(0, all));
    }

    private static Value entry(RuleContext at, Value vector, long index) {
        return vector.knownIntegers()
                .map(numbers -> at.ints(numbers.get((int) index)))
                .orElseGet(() -> at.slice(vector, 0, index, index + 1));
    }

    /** 0, 1, … in the shape of {@code x}: the flat index of every element. */
    static Value flatIndices(RuleContext at, Value x) {
        return at.reshapeLike(at.indices(at.reshape(at.op("Size", x), at.ints(1))), x);
    }

    /**
     * Adjoint of a value whose elements were gathered by flat index.
     *
     * @param places flat indices as of {@link #flatIndices}, one for every element of {@code dy}
     */
    static Value scatterByIndex(RuleContext at, Value x, Value places, Value dy) {
        Value flat = at.ints(-1);
        Value size = at.reshape(at.op("Size", x), at.ints(1));
        Value sums = scatterAdd(
                at, at.fill(size, dy.element(), 0), at.op("Reshape", places, flat), at.op("Reshape", dy, flat), 0);
        return at.reshapeLike(sums, x);
    }

    /** ScatterElements that adds, in float32 for 16-bit floats, for which engines have no such kernel. */
    static Value scatterAdd(RuleContext at, Value data, Value indices, Value updates, long axis) {
        if (!half(data)) {
            return at.scatterAdd(data, indices, updates, axis);
        }
        Value sums =
                at.scatterAdd(at.cast(data, ElementType.FLOAT), indices, at.cast(updates, ElementType.FLOAT), axis);
        return at.castLike(sums, data);
    }

    /** ScatterND that adds, in float32 for 16-bit floats, for which engines have no such kernel. */
    static Value scatterNdAdd(RuleContext at, Value data, Value indices, Value updates) {
        if (!half(data)) {
            return at.scatterNdAdd(data, indices, updates);
        }
        Value sums = at.scatterNdAdd(at.cast(data, ElementType.FLOAT), indices, at.cast(updates, ElementType.FLOAT));
        return at.castLike(sums, data);
    }

    private static boolean half(Value value) {
        return value.element() == ElementType.FLOAT16 || value.element() == ElementType.BFLOAT16;
    }
}
