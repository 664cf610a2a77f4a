package io.knabla.runtime.protocol;

import static io.knabla.runtime.protocol.ProtocolException.bad;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Elements;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.engine.TensorLease;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reads the JSON {@code data} of one input, flat or nested, straight into its tensor. */
final class JsonTensorReader {
    private final JsonScanner json;
    private final TensorSpec spec;
    private final long[] shape;
    private final int count;
    private Tensor tensor;
    private int filled;
    private int scalarDepth = -1;

    private JsonTensorReader(JsonScanner json, TensorSpec spec, long[] shape, int count) {
        this.json = json;
        this.spec = spec;
        this.shape = shape;
        this.count = count;
    }

    static Tensor read(JsonScanner json, TensorSpec spec, long[] shape, TensorLease pool) {
        DataType type = spec.datatype();
        long count = elements(spec.name(), shape);
        if (count * Math.max(1, type.bytes()) > Integer.MAX_VALUE) {
            throw bad(
                    "input '%s' has shape %s, which is too large: at most %,d bytes are allowed",
                    spec.name(), Arrays.toString(shape), Integer.MAX_VALUE);
        }
        // Every element takes at least two bytes of text, so this bounds what a small body can allocate.
        if (count > (json.end() - json.position()) / 2 + 1) {
            throw bad(
                    "input '%s' has shape %s, %d elements, but its data is shorter",
                    spec.name(), Arrays.toString(shape), count);
        }
        json.reading(spec.name());
        Tensor tensor = new JsonTensorReader(json, spec, shape, (int) count).read(pool);
        json.reading(null);
        return tensor;
    }

    static long elements(String name, long[] shape) {
        long count = 1;
        for (long size : shape) {
            if (size != 0 && count > Integer.MAX_VALUE / size) {
                // Rejected even if a later dimension is 0: such a shape is never intended.
                throw bad("input '%s' has shape %s, which is too large", name, Arrays.toString(shape));
            }
            count *= size;
        }
        return count;
    }

    private Tensor read(TensorLease pool) {
        DataType type = spec.datatype();
        tensor = type == DataType.BYTES
                ? Tensor.texts(spec.name(), shape, new byte[count][])
                : pool.take(spec.name(), type, shape, count * type.bytes());
        if (json.peek() == '[') {
            array(0);
        } else if (shape.length == 0) {
            row(type, true);
        } else {
            throw json.unexpected("its data as an array");
        }
        if (filled != count) {
            throw wrongCount(Integer.toString(filled));
        }
        return tensor;
    }

    private ProtocolException wrongCount(String found) {
        return bad(
                "input '%s' has shape %s, %d elements, but its data has %s",
                spec.name(), Arrays.toString(shape), count, found);
    }

    private void array(int depth) {
        json.expect('[', "at the start of data");
        if (json.take(']')) {
            return;
        }
        if (json.peek() != '[') {
            leaf(depth);
            return;
        }
        if (depth + 1 >= shape.length) {
            throw bad("input '%s' has data nested deeper than its shape", spec.name());
        }
        int items = 0;
        do {
            if (json.peek() != '[') {
                throw bad("input '%s' mixes arrays and single values in its data", spec.name());
            }
            array(depth + 1);
            items++;
        } while (json.more(']'));
        checkLength(depth, items);
    }

    private void leaf(int depth) {
        if (scalarDepth >= 0 && scalarDepth != depth) {
            throw bad("input '%s' has data nested to different depths", spec.name());
        }
        scalarDepth = depth;
        int before = filled;
        row(spec.datatype(), false);
        checkLength(depth, filled - before);
    }

    /** Data nested as deep as the shape must match its sizes; otherwise a transposed input would be accepted. */
    private void checkLength(int depth, int items) {
        if (scalarDepth == shape.length - 1 && scalarDepth > 0 && items != shape[depth]) {
            throw bad(
                    "input '%s' has shape %s, but an array at depth %d of its data has %d items",
                    spec.name(), Arrays.toString(shape), depth + 1, items);
        }
    }

    private boolean next(boolean single) {
        if (single) {
            return false;
        }
        return json.more(']');
    }

    private int slot() {
        if (filled == count) {
            throw wrongCount("more");
        }
        return filled++;
    }

    private void row(DataType type, boolean single) {
        ByteBuffer data = tensor.data();
        switch (type) {
            case FP32 -> {
                do {
                    data.putFloat(slot() * 4, JsonNumbers.readFloat(json));
                } while (next(single));
            }
            case FP64 -> {
                do {
                    data.putDouble(slot() * 8, JsonNumbers.readDouble(json));
                } while (next(single));
            }
            case BOOL -> {
                do {
                    data.put(slot(), bool());
                } while (next(single));
            }
            case BYTES -> {
                do {
                    tensor.texts()[slot()] = json.utf8("a text, as the datatype is BYTES");
                } while (next(single));
            }
            case UINT8, UINT16, UINT32, UINT64 -> integers(type.bytes(), false, single);
            case INT8, INT16, INT32, INT64 -> integers(type.bytes(), true, single);
            case FP16, BF16 -> {
                do {
                    half(type, data, slot());
                } while (next(single));
            }
        }
    }

    private void half(DataType type, ByteBuffer data, int at) {
        int start = json.position();
        float value = JsonNumbers.readFloat(json);
        Elements.put(type, data, at, value, 0);
        if (Float.isFinite(value) && Double.isInfinite(Elements.real(type, data, at))) {
            throw json.wrong("the number %s at byte %d is too large for %s", value, start, type);
        }
    }

    private byte bool() {
        if (json.takeLiteral("true")) {
            return 1;
        }
        if (json.takeLiteral("false")) {
            return 0;
        }
        // Triton's clients send 1 and 0 as well.
        return (byte) JsonNumbers.readInteger(json, 1, false);
    }

    private void integers(int bytes, boolean signed, boolean single) {
        ByteBuffer data = tensor.data();
        do {
            int at = slot() * bytes;
            long value = JsonNumbers.readInteger(json, bytes * 8, signed);
            switch (bytes) {
                case 1 -> data.put(at, (byte) value);
                case 2 -> data.putShort(at, (short) value);
                case 4 -> data.putInt(at, (int) value);
                default -> data.putLong(at, value);
            }
        } while (next(single));
    }
}
