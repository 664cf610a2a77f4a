package io.knabla.runtime.benchmark;

import static io.knabla.runtime.benchmark.FastestRun.floats;

import io.knabla.runtime.engine.Device;
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

    /** Measures this machine; takes about half a second and 100 MB. */
    public static MachineProfile measure(int threads) {
        var timer = new FastestRun(Device.CPU, threads, false);
        double product =
                timer.seconds(TinyModel.binary("MatMul"), List.of(floats("a", SIDE, SIDE), floats("b", SIDE, SIDE)));
        double map = timer.seconds(TinyModel.unary("Neg"), List.of(floats("a", LENGTH)));
        return new MachineProfile(threads, 2.0 * SIDE * SIDE * SIDE / product, 2.0 * Float.BYTES * LENGTH / map);
    }
}
