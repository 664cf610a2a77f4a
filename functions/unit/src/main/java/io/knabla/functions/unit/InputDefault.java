package io.knabla.functions.unit;

import java.util.Base64;
import java.util.List;

/**
 * The value of an input that a request leaves out.
 *
 * @param input its name among the unit's inputs
 * @param shape with the sizes of the value
 * @param base64 the value's bytes, little-endian, in row-major order
 */
public record InputDefault(String input, List<Long> shape, String base64) {
    /** Of a value: it is a part of the manifest, which a replica reads before its first answer. */
    public static final int MAX_BYTES = 32 << 10;

    public InputDefault {
        shape = List.copyOf(shape);
    }

    public static InputDefault of(String input, List<Long> shape, byte[] value) {
        return new InputDefault(input, shape, Base64.getEncoder().encodeToString(value));
    }

    public byte[] value() {
        return Base64.getDecoder().decode(base64);
    }

    void checkAmong(List<TensorSpec> inputs) {
        TensorSpec spec = inputs.stream()
                .filter(one -> one.name().equals(input) && one.datatype() != DataType.BYTES)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the default of '%s' is of no input".formatted(input)));
        long elements = 1;
        for (long size : shape) {
            elements = Math.multiplyExact(elements, size);
        }
        if (elements < 0 || value().length != elements * spec.datatype().bytes()) {
            throw new IllegalArgumentException(
                    "the default of '%s' has not the bytes of its shape %s".formatted(input, shape));
        }
    }
}
