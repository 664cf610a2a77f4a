package io.knabla.runtime.protocol;

import static io.knabla.runtime.protocol.ProtocolException.bad;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.engine.TensorLease;
import io.knabla.runtime.engine.TensorPool;
import io.knabla.runtime.protocol.InferRequest.SharedPart;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Inputs and outputs in shared memory. */
final class SharedTensors {
    private SharedTensors() {}

    /**
     * Numbers are used where they are; what must be checked is copied first, because a client may change it meanwhile.
     */
    static Tensor input(SharedMemory shared, TensorParameters where, TensorSpec spec, long[] shape) {
        ByteBuffer part = shared.part(where.region, where.offset, where.byteSize);
        DataType type = spec.datatype();
        boolean inPlace = type != DataType.BYTES && type != DataType.BOOL && where.offset % type.bytes() == 0;
        if (!inPlace) {
            byte[] copy = new byte[part.remaining()];
            part.get(copy);
            var pool = new TensorLease(TensorPool.of(List.of(spec.name())));
            return BinaryTensorReader.read(new BinaryBytes(copy, 0, copy.length), copy.length, spec, shape, pool);
        }
        long needed = JsonTensorReader.elements(spec.name(), shape) * type.bytes();
        if (needed > part.remaining()) {
            throw bad(
                    "input '%s' of shape %s needs %d bytes, but its part of shared memory region '%s' has %d",
                    spec.name(), Arrays.toString(shape), needed, where.region, part.remaining());
        }
        return Tensor.borrowed(spec.name(), type, shape, part.slice(0, (int) needed));
    }

    /** Rejects too small a part at once if the size is known: after the run, a step of training would be taken. */
    static SharedPart output(SharedMemory shared, TensorParameters where, TensorSpec spec) {
        var part = new SharedPart(where.region, where.offset, shared.part(where.region, where.offset, where.byteSize));
        if (spec.datatype() != DataType.BYTES && spec.shape().stream().allMatch(size -> size >= 0)) {
            part.checkRoom(spec.name(), bytes(spec));
        }
        return part;
    }

    private static long bytes(TensorSpec spec) {
        return spec.shape().stream().reduce((long) spec.datatype().bytes(), (a, b) -> a * b);
    }
}
