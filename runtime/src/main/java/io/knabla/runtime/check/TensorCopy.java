package io.knabla.runtime.check;

import io.knabla.runtime.engine.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Copies tensors to heap memory that outlives the run that produced them. */
final class TensorCopy {
    private TensorCopy() {}

    static Tensor of(Tensor tensor) {
        if (tensor.texts() != null) {
            return tensor;
        }
        ByteBuffer bytes = ByteBuffer.allocate(tensor.data().remaining()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(tensor.data().duplicate()).flip();
        return Tensor.numbers(tensor.name(), tensor.type(), tensor.shape(), bytes);
    }
}
