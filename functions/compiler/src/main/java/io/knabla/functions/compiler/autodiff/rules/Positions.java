package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.Backward;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Words for putting adjoints back to where elements were picked from. */
final class Positions {
    private Positions() {}

    /** The same integers as a constant where they are known. */
    static Value known(Backward at, Value integers) {
        return integers.constant().isPresent()
                ? integers
                : integers.knownIntegers()
                        .filter(_ -> integers.shape().filter(s -> s.rank() == 1).isPresent())
                        .map(at::ints)
                        .orElse(integers);
    }

    /** An operation whose result surely has the type of {@code like}. */
    static Value typed(Backward at, Value like, String operator, Attributes attributes, Value... in) {
        Op.Spec spec = Op.Spec.of(operator, attributes, Arrays.asList(in));
        return at.builder().op(spec, 1, List.of(), List.of(like.type())).output();
    }

    /**
     * Padding along some axes, told for all: ONNX Runtime's transpose optimiser takes the pads of an operation with
     * axes for those of all axes.
     *
     * @param like what the result surely has the type of
     * @param pads all starts, then all ends
     * @param fill null for zeros
     */
    static Value padded(Backward at, Value like, Value x, Value pads, List<Long> axes, Value fill) {
        Value full = full(at, x.rank(), pads, axes);
        return typed(at, like, "Pad", Attributes.NONE, x, full, fill);
    }

    /** Likewise, with zeros, to a type that is inferred. */
    static Value padded(Backward at, Value x, Value pads, List<Long> axes) {
        return at.pad(x, full(at, x.rank(), pads, axes));
    }

    private static Value full(Backward at, int rank, Value pads, List<Long> axes) {
        var all = new ArrayList<Value>(Collections.nCopies(2 * rank, at.ints(0)));
        for (int i = 0; i < axes.size(); i++) {
            int axis = (int) (Axis.fromFront(axes.get(i), rank));
            all.set(axis, entry(at, pads, i));
            all.set(axis + rank, entry(at, pads, i + axes.size()));
        }
        return known(at, at.concat(0, all));
    }

    private static Value entry(Backward at, Value vector, long index) {
        return vector.knownIntegers()
                .map(numbers -> at.ints(numbers.get((int) index)))
                .orElseGet(() -> at.slice(vector, 0, index, index + 1));
    }

    /** 0, 1, … in the shape of {@code x}: the place of every element. */
    static Value places(Backward at, Value x) {
        return at.reshapeLike(at.indices(at.reshape(at.op("Size", x), at.ints(1))), x);
    }

    /**
     * Adjoint of a value whose elements were picked by their places.
     *
     * @param places as {@link #places} counts them, one for every element of {@code dy}
     */
    static Value back(Backward at, Value x, Value places, Value dy) {
        Value flat = at.ints(-1);
        Value size = at.reshape(at.op("Size", x), at.ints(1));
        Value sums = scatterAdd(
                at, at.fill(size, dy.element(), 0), at.op("Reshape", places, flat), at.op("Reshape", dy, flat), 0);
        return at.reshapeLike(sums, x);
    }

    /** ScatterElements with sums; engines have no such kernel for halves. */
    static Value scatterAdd(Backward at, Value data, Value indices, Value updates, long axis) {
        if (!half(data)) {
            return at.scatterAdd(data, indices, updates, axis);
        }
        Value sums =
                at.scatterAdd(at.cast(data, ElementType.FLOAT), indices, at.cast(updates, ElementType.FLOAT), axis);
        return at.castLike(sums, data);
    }

    /** ScatterND with sums; engines have no such kernel for halves. */
    static Value scatterNdAdd(Backward at, Value data, Value indices, Value updates) {
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
