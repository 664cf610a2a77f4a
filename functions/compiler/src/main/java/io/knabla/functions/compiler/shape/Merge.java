package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.Optional;

/** Merges two types of one value. */
final class Merge {
    private Merge() {}

    /** The first type, with gaps filled from the second; on conflict the first wins. */
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

    /** A number is more precise than a symbol, and a symbol more precise than unknown. */
    static Dim of(Dim first, Dim second) {
        boolean gap = !first.fixed() || !first.known() && second.known();
        return gap ? second : first;
    }

    /** Most precise type that covers both alternatives. */
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
