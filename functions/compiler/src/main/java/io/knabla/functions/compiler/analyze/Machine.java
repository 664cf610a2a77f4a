package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.analyze.Analysis.Work;
import java.util.List;

/**
 * Roofline model of a machine: its peak compute rate and memory bandwidth.
 *
 * @param threads threads with which the rates were measured
 * @param flops floating-point operations per second
 * @param bytesPerSecond bytes read and written per second
 */
public record Machine(int threads, double flops, double bytesPerSecond, Source source) {
    /** Whether the rates were measured on this host. */
    public enum Source {
        measured,
        assumed
    }

    /**
     * Measured once with ONNX Runtime on two cores of an AMD EPYC. Decisions that affect a unit's content always use
     * this machine, because the same model must give the same unit on every host.
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

    /** Ridge point: FLOPs per byte above which an operator is compute-bound. */
    double ridge() {
        return flops / bytesPerSecond;
    }

    /** Description for messages. */
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
