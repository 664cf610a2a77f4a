package io.knabla.functions.graph.shape;

import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.TensorType;
import java.util.ArrayList;
import java.util.Optional;

/** Joins two accounts of one value. */
final class Merge {
    private Merge() {}

    /** The first account, its gaps filled from the second; where they contradict, the first holds. */
    static TensorType of(TensorType first, TensorType second) {
        ElementType element =
                first.element() == ElementType.UNDEFINED ? second.element() : first.element();
        if (first.shape().isEmpty()) {
            return new TensorType(element, second.shape());
        }
        Shape a = first.shape().get();
        if (second.shape().isEmpty() || second.shape().get().rank() != a.rank()) {
            return new TensorType(element, first.shape());
        }
        Shape b = second.shape().get();
        var dims = new ArrayList<Dim>(a.rank());
        for (int i = 0; i < a.rank(); i++) {
            boolean gap = a.dim(i) instanceof Dim.Unknown || !a.dim(i).known() && b.dim(i).known();
            dims.add(gap ? b.dim(i) : a.dim(i));
        }
        return new TensorType(element, Optional.of(new Shape(dims)));
    }
}
