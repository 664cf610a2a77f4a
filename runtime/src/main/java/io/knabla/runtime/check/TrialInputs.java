package io.knabla.runtime.check;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Elements;
import io.knabla.runtime.engine.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** Generates inputs for a trial run: zeros, or random numbers that most models accept. */
public final class TrialInputs {
    /** So many of eight bytes just fit a buffer. */
    private static final long MAX_ELEMENTS = (1 << 28) - 1;

    private TrialInputs() {}

    /** Source of one input's numbers. */
    private interface Numbers {
        double next();
    }

    /** Inputs of zeros and empty texts, with {@code size} for every free dimension. */
    public static List<Tensor> zeros(List<TensorSpec> specs, long size) {
        return specs.stream()
                .map(spec -> filled(spec, shape(spec, size), () -> 0))
                .toList();
    }

    /** Inputs of zeros and empty texts of so many rows, with size 1 for every further free dimension. */
    public static List<Tensor> zeroRows(List<TensorSpec> specs, long rows) {
        return specs.stream()
                .map(spec -> {
                    long[] shape = shape(spec, 1);
                    if (shape.length > 0 && spec.shape().getFirst() < 0) {
                        shape[0] = rows;
                    }
                    return filled(spec, shape, () -> 0);
                })
                .toList();
    }

    /**
     * Random inputs: floats in [0.1, 0.9), where roots, logarithms and inverse sines are defined; integers and booleans
     * 0 or 1, which are valid for nearly all labels and indices.
     */
    public static List<Tensor> random(List<TensorSpec> specs, long size, RandomGenerator random) {
        return specs.stream()
                .map(spec -> filled(
                        spec,
                        shape(spec, size),
                        Elements.isFloatingPoint(spec.datatype())
                                ? () -> random.nextDouble(0.1, 0.9)
                                : () -> random.nextInt(2)))
                .toList();
    }

    /**
     * Random inputs of one row: floats in [0.1, 0.9) times {@code scale}, integers and booleans 0 or 1, and a text of
     * one letter.
     *
     * @param size of every free dimension but the first, which has size 1
     */
    static List<Tensor> row(List<TensorSpec> specs, long size, double scale, RandomGenerator random) {
        return specs.stream()
                .map(spec -> spec.datatype() == DataType.BYTES
                        ? letters(spec, rowShape(spec, size), random)
                        : filled(
                                spec,
                                rowShape(spec, size),
                                Elements.isFloatingPoint(spec.datatype())
                                        ? () -> scale * random.nextDouble(0.1, 0.9)
                                        : () -> random.nextInt(2)))
                .toList();
    }

    private static long[] rowShape(TensorSpec spec, long size) {
        long[] shape = shape(spec, size);
        shape[0] = 1;
        return shape;
    }

    private static Tensor letters(TensorSpec spec, long[] shape, RandomGenerator random) {
        byte[][] texts = new byte[(int) elements(spec, shape)][];
        Arrays.setAll(texts, _ -> new byte[] {(byte) random.nextInt('a', 'z' + 1)});
        return Tensor.texts(spec.name(), shape, texts);
    }

    /** A tensor of normally distributed numbers with the shape and type of another tensor. */
    static Tensor normal(String name, Tensor like, RandomGenerator random) {
        var spec = new TensorSpec(name, like.type(), List.of(), List.of());
        return filled(spec, like.shape(), random::nextGaussian);
    }

    /** A tensor with one element. */
    static Tensor scalar(TensorSpec spec, double value) {
        return filled(spec, shape(spec, 1), () -> value);
    }

    private static long[] shape(TensorSpec spec, long size) {
        return spec.shape().stream()
                .mapToLong(fixed -> fixed < 0 ? size : fixed)
                .toArray();
    }

    private static long elements(TensorSpec spec, long[] shape) {
        if (LongStream.of(shape).anyMatch(size -> size == 0)) {
            return 0;
        }
        long count = 1;
        for (long size : shape) {
            if (size > MAX_ELEMENTS / count) {
                throw new IllegalStateException("input '%s' of shape %s is too large to try; at most %,d elements are"
                        .formatted(spec.name(), spec.shape(), MAX_ELEMENTS));
            }
            count *= size;
        }
        return count;
    }

    private static Tensor filled(TensorSpec spec, long[] shape, Numbers numbers) {
        long count = elements(spec, shape);
        DataType type = spec.datatype();
        if (type == DataType.BYTES) {
            byte[][] texts = new byte[(int) count][];
            Arrays.fill(texts, new byte[0]);
            return Tensor.texts(spec.name(), shape, texts);
        }
        ByteBuffer data =
                ByteBuffer.allocateDirect(Math.toIntExact(count * type.bytes())).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            double value = numbers.next();
            Elements.put(type, data, i, value, (long) value);
        }
        return Tensor.numbers(spec.name(), type, shape, data);
    }
}
