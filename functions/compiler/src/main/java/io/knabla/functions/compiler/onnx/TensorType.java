package io.knabla.functions.compiler.onnx;

import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import java.util.ArrayList;
import java.util.Optional;

/** Static type of a tensor: its element type and, if the rank is known, its shape. */
public record TensorType(ElementType element, Optional<Shape> shape) {
    public static final TensorType UNKNOWN = new TensorType(ElementType.UNDEFINED, Optional.empty());

    public static TensorType of(ElementType element, Shape shape) {
        return new TensorType(element, Optional.of(shape));
    }

    public static TensorType of(ElementType element) {
        return new TensorType(element, Optional.empty());
    }

    /** Returns {@link #UNKNOWN} for a type that is not a dense tensor. */
    public static TensorType of(TypeProto type) {
        if (!type.hasTensorType()) {
            return UNKNOWN;
        }
        TypeProto.Tensor tensor = type.getTensorType();
        ElementType element = ElementType.of(tensor.getElemType());
        return new TensorType(element, tensor.hasShape() ? Optional.of(shape(tensor.getShape())) : Optional.empty());
    }

    private static Shape shape(TensorShapeProto shape) {
        var dims = new ArrayList<Dim>(shape.getDimCount());
        for (TensorShapeProto.Dimension dim : shape.getDimList()) {
            dims.add(
                    dim.hasDimValue()
                            ? Dim.of(dim.getDimValue())
                            : dim.getDimParam().isEmpty() ? Dim.UNKNOWN : new Dim.Symbol(dim.getDimParam()));
        }
        return new Shape(dims);
    }
}
