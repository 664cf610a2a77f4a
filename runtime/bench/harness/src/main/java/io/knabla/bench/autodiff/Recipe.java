package io.knabla.bench.autodiff;

import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * Recipe for a tensor's pseudo-random content, stored in place of the weights. Java and Python ({@code stream.py})
 * generate the same numbers: splitmix64 of a counter.
 *
 * @param kind {@code uniform} for floats in [low, high), {@code below} for integers in [0, high)
 */
record Recipe(String kind, double low, double high, long seed) {
    private static final String MARK = "recipe: ";
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final long FIRST = 0xBF58476D1CE4E5B9L;
    private static final long SECOND = 0x94D049BB133111EBL;

    /** @param doc {@code recipe: uniform LOW HIGH SEED} or {@code recipe: below N SEED} */
    static Optional<Recipe> of(String doc) {
        if (!doc.startsWith(MARK)) {
            return Optional.empty();
        }
        String[] words = doc.substring(MARK.length()).split(" ");
        double first = Double.parseDouble(words[1]);
        return Optional.of(
                words[0].equals("below")
                        ? new Recipe(words[0], 0, first, Long.parseLong(words[2]))
                        : new Recipe(words[0], first, Double.parseDouble(words[2]), Long.parseLong(words[3])));
    }

    boolean whole() {
        return kind.equals("below");
    }

    /** Generates {@code count} elements, little-endian FLOAT or INT64. */
    ByteBuffer bytes(long count) {
        int size = whole() ? Long.BYTES : Float.BYTES;
        ByteBuffer bytes =
                ByteBuffer.allocateDirect(Math.toIntExact(count * size)).order(ByteOrder.LITTLE_ENDIAN);
        for (long i = 1; i <= count; i++) {
            double value = low + (high - low) * unit(i);
            if (whole()) {
                bytes.putLong((long) value);
            } else {
                bytes.putFloat((float) value);
            }
        }
        return bytes.flip();
    }

    private double unit(long counter) {
        long z = counter * STEP + seed * FIRST;
        z = (z ^ (z >>> 30)) * FIRST;
        z = (z ^ (z >>> 27)) * SECOND;
        z ^= z >>> 31;
        return (z >>> 40) * 0x1p-24;
    }

    TensorProto fill(TensorProto tensor) {
        long count = tensor.getDimsList().stream().reduce(1L, (a, b) -> a * b);
        return tensor.toBuilder()
                .setRawData(UnsafeByteOperations.unsafeWrap(bytes(count)))
                .clearDocString()
                .build();
    }

    static List<Long> dims(ai.onnx.proto.OnnxMl.ValueInfoProto value) {
        return value.getType().getTensorType().getShape().getDimList().stream()
                .map(d -> d.getDimValue())
                .toList();
    }
}
