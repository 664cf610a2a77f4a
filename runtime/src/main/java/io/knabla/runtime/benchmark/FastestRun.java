package io.knabla.runtime.benchmark;

import io.knabla.functions.unit.DataType;
import io.knabla.runtime.engine.Device;
import io.knabla.runtime.engine.RawSession;
import io.knabla.runtime.engine.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures the shortest run time of a model on a device.
 *
 * @param threads inside one run
 * @param exact whether products of matrices have all digits of float32
 */
record FastestRun(Device device, int threads, boolean exact) {
    /** Enough to get past the slow first runs. The fastest counts: other load can only slow a run down. */
    private static final int RUNS = 15;

    /** The first run loads code, the second may still grow memory. */
    private static final int LEAST_RUNS = 4;

    /** Slow devices need not run all of them. */
    private static final long ENOUGH_NANOS = 1_000_000_000;

    /** Seconds of the fastest run; closes the inputs. */
    double seconds(byte[] model, List<Tensor> inputs) {
        try {
            Path file = Files.createTempFile("knabla-calibrate", ".onnx");
            try {
                Files.write(file, model);
                try (var bare = RawSession.open(file, threads, device, exact)) {
                    return fastest(bare, inputs);
                }
            } finally {
                inputs.forEach(Tensor::close);
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot write a model to measure", failed);
        }
    }

    private static double fastest(RawSession bare, List<Tensor> inputs) {
        long least = Long.MAX_VALUE;
        long all = 0;
        for (int i = 0; i < RUNS && (i < LEAST_RUNS || all < ENOUGH_NANOS); i++) {
            long start = System.nanoTime();
            bare.run(inputs);
            long took = System.nanoTime() - start;
            least = Math.min(least, took);
            all += took;
        }
        return least / 1e9;
    }

    /** Small numbers of both signs. */
    static Tensor floats(String name, long... shape) {
        int count = count(shape);
        ByteBuffer data = allocate(count);
        for (int i = 0; i < count; i++) {
            data.putFloat(i * Float.BYTES, (i % 7 - 3) / 8f);
        }
        return Tensor.numbers(name, DataType.FP32, shape, data);
    }

    static Tensor number(String name, float value) {
        return Tensor.numbers(name, DataType.FP32, new long[] {1}, allocate(1).putFloat(0, value));
    }

    private static int count(long... shape) {
        int count = 1;
        for (long size : shape) {
            count *= (int) size;
        }
        return count;
    }

    private static ByteBuffer allocate(int floats) {
        return ByteBuffer.allocateDirect(floats * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }
}
