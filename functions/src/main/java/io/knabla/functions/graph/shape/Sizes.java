package io.knabla.functions.graph.shape;

import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.TensorType;
import java.util.ArrayList;
import java.util.Optional;

/** Gives sizes to dimensions that the graph leaves open, or leaves them so. */
@FunctionalInterface
public interface Sizes {
    /** Everything stays symbolic. */
    Sizes OPEN = (dim, value) -> dim;

    /** More axes than any operator takes; beyond, a shape is not followed. */
    int MAX_RANK = 64;

    /** @param value whose dimension it is, for messages */
    Dim bind(Dim dim, String value);

    default TensorType bind(TensorType type, String value) {
        if (type.shape().isEmpty()) {
            return type;
        }
        Shape shape = type.shape().get();
        if (shape.rank() > MAX_RANK) {
            return TensorType.of(type.element());
        }
        var dims = new ArrayList<Dim>(shape.rank());
        for (Dim dim : shape.dims()) {
            dims.add(dim.known() ? dim : bind(dim, value));
        }
        return new TensorType(type.element(), Optional.of(new Shape(dims)));
    }
}
