package io.knabla.functions.autodiff.rules;

import io.knabla.functions.autodiff.Backward;
import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.ssa.Attributes;
import io.knabla.functions.graph.ssa.Op;
import io.knabla.functions.graph.ssa.Value;
import java.util.Arrays;
import java.util.List;

/** Words for putting adjoints back to where elements were picked from. */
final class Positions {
    private Positions() {}

    /** The same integers as a constant where they are known. */
    static Value known(Backward at, Value integers) {
        return integers.constant().isPresent()
                ? integers
                : integers.numbers()
                        .filter(_ -> integers.shape().filter(s -> s.rank() == 1).isPresent())
                        .map(at::ints)
                        .orElse(integers);
    }

    /** An operation whose result surely has the type of {@code like}. */
    static Value typed(
            Backward at, Value like, String operator, Attributes attributes, Value... in) {
        Op.Spec spec = Op.Spec.of(operator, attributes, Arrays.asList(in));
        return at.builder().op(spec, 1, List.of(), List.of(like.type())).output();
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
        Value sums =
                scatterAdd(
                        at,
                        at.fill(size, dy.element(), 0),
                        at.op("Reshape", places, flat),
                        at.op("Reshape", dy, flat),
                        0);
        return at.reshapeLike(sums, x);
    }

    /** ScatterElements with sums; engines have no such kernel for halves. */
    static Value scatterAdd(Backward at, Value data, Value indices, Value updates, long axis) {
        if (!half(data)) {
            return at.scatterAdd(data, indices, updates, axis);
        }
        Value sums =
                at.scatterAdd(
                        at.cast(data, ElementType.FLOAT),
                        indices,
                        at.cast(updates, ElementType.FLOAT),
                        axis);
        return at.castLike(sums, data);
    }

    /** ScatterND with sums; engines have no such kernel for halves. */
    static Value scatterNdAdd(Backward at, Value data, Value indices, Value updates) {
        if (!half(data)) {
            return at.scatterNdAdd(data, indices, updates);
        }
        Value sums =
                at.scatterNdAdd(
                        at.cast(data, ElementType.FLOAT),
                        indices,
                        at.cast(updates, ElementType.FLOAT));
        return at.castLike(sums, data);
    }

    private static boolean half(Value value) {
        return value.element() == ElementType.FLOAT16 || value.element() == ElementType.BFLOAT16;
    }
}
