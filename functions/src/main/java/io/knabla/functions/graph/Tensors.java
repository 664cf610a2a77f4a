package io.knabla.functions.graph;

import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import java.util.Optional;

/** Reads of a {@code TensorProto} that every user of one needs. */
public final class Tensors {
    private Tensors() {}

    public static ElementType element(TensorProto tensor) {
        return ElementType.of(tensor.getDataType());
    }

    public static TensorType type(TensorProto tensor) {
        return TensorType.of(element(tensor), Shape.of(tensor.getDimsList()));
    }

    public static boolean isExternal(TensorProto tensor) {
        return tensor.getDataLocation() == TensorProto.DataLocation.EXTERNAL;
    }

    /** One entry of where an external tensor lies: {@code location}, {@code offset}, {@code length}. */
    public static Optional<String> external(TensorProto tensor, String key) {
        for (StringStringEntryProto entry : tensor.getExternalDataList()) {
            if (entry.getKey().equals(key)) {
                return Optional.of(entry.getValue());
            }
        }
        return Optional.empty();
    }

    /** The number of elements, or empty where a dimension is negative or the product absurd. */
    public static Optional<Long> elements(TensorProto tensor) {
        long product = 1;
        boolean empty = false;
        for (long dim : tensor.getDimsList()) {
            if (dim < 0 || dim > Dim.MAX) {
                return Optional.empty();
            }
            empty |= dim == 0;
            if (dim != 0 && product > Dim.MAX / dim) {
                return Optional.empty();
            }
            product *= Math.max(1, dim);
        }
        return Optional.of(empty ? 0 : product);
    }
}
