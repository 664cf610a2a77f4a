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
        ElementType element = first.element() == ElementType.UNDEFINED ? second.element() : first.element();
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
            dims.add(of(a.dim(i), b.dim(i)));
        }
        return new TensorType(element, Optional.of(new Shape(dims)));
    }

    /** A number says more than a name, and a name more than nothing. */
    static Dim of(Dim first, Dim second) {
        boolean gap = !first.fixed() || !first.known() && second.known();
        return gap ? second : first;
    }

    /** What holds for both of two values, of which either may be the one. */
    static TensorType common(TensorType a, TensorType b) {
        ElementType element = a.element() == b.element() ? a.element() : ElementType.UNDEFINED;
        if (a.shape().isEmpty()
                || b.shape().isEmpty()
                || a.shape().get().rank() != b.shape().get().rank()) {
            return TensorType.of(element);
        }
        var dims = new ArrayList<Dim>();
        for (int i = 0; i < a.shape().get().rank(); i++) {
            Dim dim = a.shape().get().dim(i);
            dims.add(dim.equals(b.shape().get().dim(i)) ? dim : Dim.UNKNOWN);
        }
        return TensorType.of(element, new Shape(dims));
    }
}
