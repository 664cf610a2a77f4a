package io.knabla.functions.compiler.onnx;

import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import java.util.Optional;

/** Accessors for {@code TensorProto}: type, number of elements, external location. */
public final class TensorProtos {
    private TensorProtos() {}

    public static ElementType element(TensorProto tensor) {
        return ElementType.of(tensor.getDataType());
    }

    public static TensorType type(TensorProto tensor) {
        return TensorType.of(element(tensor), Shape.of(tensor.getDimsList()));
    }

    public static boolean isExternal(TensorProto tensor) {
        return tensor.getDataLocation() == TensorProto.DataLocation.EXTERNAL;
    }

    /** One entry of an external tensor's location: {@code location}, {@code offset}, {@code length}. */
    public static Optional<String> external(TensorProto tensor, String key) {
        for (StringStringEntryProto entry : tensor.getExternalDataList()) {
            if (entry.getKey().equals(key)) {
                return Optional.of(entry.getValue());
            }
        }
        return Optional.empty();
    }

    /** Number of elements, or empty if a dimension is negative or the product exceeds {@link Dim#MAX}. */
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
