package io.knabla.runtime.protocol;

import static io.knabla.runtime.protocol.ProtocolException.bad;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.engine.TensorLease;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Reads one input's binary tensor data: little-endian, row-major; each text prefixed with its length. */
final class BinaryTensorReader {
    private BinaryTensorReader() {}

    static Tensor read(BinaryBody body, int size, TensorSpec spec, long[] shape, TensorLease pool) {
        long count = JsonTensorReader.elements(spec.name(), shape);
        DataType type = spec.datatype();
        if (type == DataType.BYTES) {
            return texts(body.take(size), spec, shape, count);
        }
        if (count * type.bytes() != size) {
            throw bad(
                    "input '%s' has %d bytes of binary data, but shape %s of %s needs %d",
                    spec.name(), size, Arrays.toString(shape), type, count * type.bytes());
        }
        body.await(size);
        Tensor tensor = pool.take(spec.name(), type, shape, size);
        body.read(tensor.data());
        if (type == DataType.BOOL) {
            checkBooleans(tensor);
        }
        return tensor;
    }

    /** The engine does not check booleans: any byte but 0 and 1 is undefined behaviour in its kernels. */
    private static void checkBooleans(Tensor tensor) {
        for (int i = 0; i < tensor.data().limit(); i++) {
            if ((tensor.data().get(i) & 0xfe) != 0) {
                throw bad("input '%s' is BOOL, but byte %d of its data is neither 0 nor 1", tensor.name(), i);
            }
        }
    }

    private static Tensor texts(ByteBuffer data, TensorSpec spec, long[] shape, long count) {
        data.order(ByteOrder.LITTLE_ENDIAN);
        if (count > data.remaining() / Integer.BYTES) {
            throw tooShort(spec, shape, count);
        }
        byte[][] texts = new byte[(int) count][];
        for (int i = 0; i < texts.length; i++) {
            long length = data.remaining() < 4 ? Long.MAX_VALUE : data.getInt() & 0xffffffffL;
            if (length > data.remaining()) {
                throw tooShort(spec, shape, count);
            }
            texts[i] = text(data.slice(data.position(), (int) length), spec);
            data.position(data.position() + (int) length);
        }
        if (data.hasRemaining()) {
            throw bad(
                    "input '%s' has %d bytes after its last element; shape %s has %d elements",
                    spec.name(), data.remaining(), Arrays.toString(shape), count);
        }
        return Tensor.texts(spec.name(), shape, texts);
    }

    private static ProtocolException tooShort(TensorSpec spec, long[] shape, long count) {
        return bad(
                "input '%s' has shape %s, %d elements, but its binary data ends before; each element is a 4-byte length and its bytes",
                spec.name(), Arrays.toString(shape), count);
    }

    static byte[] text(ByteBuffer bytes, TensorSpec spec) {
        byte[] text = new byte[bytes.remaining()];
        bytes.get(text);
        if (!Utf8.isValid(text)) {
            throw bad(
                    "input '%s' has an element that is not UTF-8, which is all that operators on texts read; use UINT8 for raw bytes",
                    spec.name());
        }
        return text;
    }
}
