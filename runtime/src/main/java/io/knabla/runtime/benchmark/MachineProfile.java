package io.knabla.runtime.benchmark;

import io.knabla.functions.unit.DataType;
import io.knabla.runtime.engine.RawSession;
import io.knabla.runtime.engine.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Roofline of this machine, measured with the engine itself: peak FLOP/s and memory bandwidth.
 *
 * @param threads threads inside one run
 * @param flops floating-point operations a second in a product of large float32 matrices
 * @param bytesPerSecond read and written by an element-wise operation on large float32 tensors
 */
public record MachineProfile(int threads, double flops, double bytesPerSecond) {
    private static final int SIDE = 768;
    private static final int LENGTH = 8 << 20;

    /** Enough to get past the slow first runs. The fastest counts: other load can only slow a run down. */
    private static final int RUNS = 15;

    /** Measures this machine; takes about half a second and 100 MB. */
    public static MachineProfile measure(int threads) {
        double product =
                fastest(TinyModel.binary("MatMul"), threads, List.of(floats("a", SIDE, SIDE), floats("b", SIDE, SIDE)));
        double map = fastest(TinyModel.unary("Neg"), threads, List.of(floats("a", LENGTH)));
        return new MachineProfile(threads, 2.0 * SIDE * SIDE * SIDE / product, 2.0 * Float.BYTES * LENGTH / map);
    }

    /** Seconds. */
    private static double fastest(byte[] model, int threads, List<Tensor> inputs) {
        try {
            Path file = Files.createTempFile("knabla-calibrate", ".onnx");
            try {
                Files.write(file, model);
                try (var bare = RawSession.open(file, threads)) {
                    long least = Long.MAX_VALUE;
                    for (int i = 0; i < RUNS; i++) {
                        long start = System.nanoTime();
                        bare.run(inputs);
                        least = Math.min(least, System.nanoTime() - start);
                    }
                    return least / 1e9;
                }
            } finally {
                inputs.forEach(Tensor::close);
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException("cannot write a model to measure", failed);
        }
    }

    private static Tensor floats(String name, long... shape) {
        int count = 1;
        for (long size : shape) {
            count *= (int) size;
        }
        ByteBuffer data = ByteBuffer.allocateDirect(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            data.putFloat(i * Float.BYTES, (i % 7 - 3) / 8f);
        }
        return Tensor.numbers(name, DataType.FP32, shape, data);
    }
}
