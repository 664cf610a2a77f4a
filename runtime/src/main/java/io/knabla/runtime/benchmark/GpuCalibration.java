package io.knabla.runtime.benchmark;

import io.knabla.functions.unit.GpuFigure;
import io.knabla.runtime.engine.CudaDevice;
import io.knabla.runtime.engine.EngineException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * Rates and times of a GPU, measured through ONNX Runtime.
 *
 * @param device its name
 * @param rates by figure
 * @param failures why a figure was not measured
 */
public record GpuCalibration(String device, Map<GpuFigure, Double> rates, Map<GpuFigure, String> failures) {
    private static final long KERNEL = 3;
    private static final int ADD_TENSORS = 3;
    private static final int MOST_TEXT = 200;

    /**
     * How much is computed.
     *
     * @param side of the matrices
     * @param images of one convolution
     * @param channels of an image
     * @param pixels along a side of an image
     * @param adds numbers in a tensor whose additions show the memory's bandwidth
     * @param copied numbers that are copied to the device, and back
     * @param chain operations in a run, so many that its other costs do not count
     * @param launches operations in a run on one number
     */
    public record Work(
            long side, long images, long channels, long pixels, long adds, long copied, int chain, int launches) {
        /** Takes up to 1.1 GB of the device's memory, and less than 20 seconds. */
        public static final Work FULL = new Work(4096, 32, 256, 56, 64 << 20, 16 << 20, 16, 200);

        /** Less by this divisor in each length: its figures say nothing about a device. */
        public Work dividedBy(int divisor) {
            return new Work(
                    Math.max(1, side / divisor),
                    images,
                    Math.max(1, channels / divisor),
                    Math.max(1, pixels / divisor),
                    Math.max(1, adds / divisor),
                    Math.max(1, copied / divisor),
                    chain,
                    launches);
        }
    }

    /**
     * Measures the device, whose libraries are open.
     *
     * @throws EngineException {@code DEVICE_LOST}; any other failure leaves one figure out
     */
    public static GpuCalibration measure(CudaDevice device, Work work) {
        var measuring = new Measuring(new FastestRun(device, 1, true), new FastestRun(device, 1, false), work);
        var profile = new GpuCalibration(
                device.name().orElse("unknown"), new EnumMap<>(GpuFigure.class), new EnumMap<>(GpuFigure.class));
        profile.keep(GpuFigure.callSeconds, measuring::call);
        profile.keep(GpuFigure.launchSeconds, measuring::launch);
        profile.keep(GpuFigure.linkBytesPerSecond, measuring::link);
        profile.keep(GpuFigure.bytesPerSecond, measuring::bandwidth);
        profile.keep(GpuFigure.float32, measuring::float32);
        profile.keep(GpuFigure.tf32, measuring::tf32);
        profile.keep(GpuFigure.half, measuring::half);
        profile.keep(GpuFigure.convolution, measuring::convolution);
        return profile;
    }

    private void keep(GpuFigure figure, DoubleSupplier measured) {
        try {
            rates.put(figure, measured.getAsDouble());
        } catch (EngineException failed) {
            if (failed.code() == EngineException.Code.DEVICE_LOST) {
                throw failed;
            }
            failures.put(figure, beginning(failed.getMessage()));
        }
    }

    /** The engine may tell whole graphs. */
    private static String beginning(String message) {
        return message.length() <= MOST_TEXT ? message : message.substring(0, MOST_TEXT) + "...";
    }

    /** One method for each figure. */
    private record Measuring(FastestRun exact, FastestRun usual, Work work) {
        double call() {
            return usual.seconds(TinyModel.unary("Neg"), List.of(FastestRun.floats("a", 1)));
        }

        double launch() {
            var adds = new ChainModel("Add", List.of(1L), List.of(1L), work.launches());
            return seconds(usual, adds.inFloat(), 1) / work.launches();
        }

        double link() {
            double seconds = usual.seconds(TinyModel.unary("Neg"), List.of(FastestRun.floats("a", work.copied())));
            return 2.0 * Float.BYTES * work.copied() / seconds;
        }

        double bandwidth() {
            List<Long> shape = List.of(work.adds());
            // Lean sessions, which have all digits too, hold less memory.
            double seconds = seconds(exact, new ChainModel("Add", shape, shape, work.chain()).inFloat(), 1);
            return (double) ADD_TENSORS * Float.BYTES * work.adds() * work.chain() / seconds;
        }

        double float32() {
            return products(exact, matrices().inFloat());
        }

        double tf32() {
            return products(usual, matrices().inFloat());
        }

        double half() {
            return products(usual, matrices().inHalf());
        }

        private ChainModel matrices() {
            List<Long> shape = List.of(work.side(), work.side());
            return new ChainModel("MatMul", shape, shape, work.chain());
        }

        private double products(FastestRun timer, byte[] model) {
            double flops = 2.0 * work.side() * work.side() * work.side() * work.chain();
            return flops / seconds(timer, model, work.side());
        }

        double convolution() {
            long channels = work.channels();
            List<Long> images = List.of(work.images(), channels, work.pixels(), work.pixels());
            var model = new ChainModel("Conv", images, List.of(channels, channels, KERNEL, KERNEL), work.chain());
            double multiplications =
                    (double) work.images() * channels * channels * KERNEL * KERNEL * work.pixels() * work.pixels();
            return 2 * multiplications * work.chain() / seconds(usual, model.inFloat(), channels * KERNEL * KERNEL);
        }

        /** @param terms of each sum: the reciprocal as all elements keeps the values of a chain as they are */
        private static double seconds(FastestRun timer, byte[] model, long terms) {
            return timer.seconds(model, List.of(FastestRun.number("a", 1f / terms)));
        }
    }
}
