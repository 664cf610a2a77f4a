package io.knabla.functions.analyze;

import io.knabla.functions.analyze.Analysis.Work;
import java.util.List;

/**
 * A roofline: what a machine computes and moves at most.
 *
 * @param threads of one run that the numbers are for
 * @param flops floating-point operations a second
 * @param bytesPerSecond read and written
 */
public record Machine(int threads, double flops, double bytesPerSecond, Source source) {
    /** Whether the numbers are this host's own. */
    public enum Source {
        measured,
        assumed
    }

    /**
     * Measured once with ONNX Runtime on another machine: two cores of an AMD EPYC. What shapes a unit uses this one
     * everywhere, as the same model has to give the same unit on every host.
     */
    public static final Machine ASSUMED = new Machine(2, 450e9, 40e9, Source.assumed);

    double seconds(long work, long bytes) {
        return Math.max(work / flops, bytes / bytesPerSecond);
    }

    double seconds(List<Work> work) {
        return work.stream()
                .mapToDouble(part -> seconds(part.flops(), part.bytes()))
                .sum();
    }

    /** FLOPs per byte from which on computing takes longer than moving. */
    double ridge() {
        return flops / bytesPerSecond;
    }

    /** For people. */
    public String text() {
        return switch (source) {
            case measured -> "this host, measured (%s)".formatted(numbers());
            case assumed -> "an assumed machine (%s)".formatted(numbers());
        };
    }

    private String numbers() {
        return "%d %s, %.0f GFLOP/s, %.0f GB/s"
                .formatted(threads, threads == 1 ? "thread" : "threads", flops / 1e9, bytesPerSecond / 1e9);
    }
}
