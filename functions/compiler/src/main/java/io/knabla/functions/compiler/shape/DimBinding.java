package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.Optional;

/** Binds open dimensions of a graph to sizes, or leaves them symbolic. */
@FunctionalInterface
public interface DimBinding {
    /** Leaves every dimension symbolic. */
    DimBinding SYMBOLIC = (dim, value) -> dim;

    /** More axes than any operator takes; shapes of higher rank are not tracked. */
    int MAX_RANK = 64;

    /** @param name of the value that has the dimension, for messages */
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
