package io.knabla.functions.spec;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a user wants, with every default filled in. Only {@code FunctionYaml} makes one from text, so an instance is
 * valid.
 *
 * @param model a path beside the file, {@code file://}, {@code s3://}, {@code https://}, or {@code sha256:…} of an
 *     uploaded model or a unit
 * @param externalData the model's external data files by their {@code location}: digests of uploads, which the CLI
 *     writes, or {@code s3://}
 * @param timeout of one request, start included
 * @param traffic empty = everything to the newest ready version
 */
public record FunctionSpec(
        FunctionType type,
        String model,
        Map<String, String> externalData,
        Optional<Gradient> gradient,
        Quantize quantize,
        Resources resources,
        Placement placement,
        Scaling scaling,
        KeepWarm keepWarm,
        Batching batching,
        Duration timeout,
        List<TrafficTarget> traffic) {

    public enum FunctionType {
        Inference,
        Gradient,
        TrainingStep
    }

    /** What one replica may use; empty means {@code auto}, from the static analysis. */
    public record Resources(Optional<Long> milliCpu, Optional<Long> memoryBytes, int gpu) {
        /** The engine's threads for one operator: whole CPUs, and one where none is asked for. */
        public long threads() {
            return milliCpu.map(milli -> Math.ceilDiv(milli, 1000L)).orElse(1L);
        }
    }

    public record Placement(Pool pool, Capacity capacity, int onDemandBase) {}

    public enum Pool {
        auto,
        cpu,
        gpu
    }

    public enum Capacity {
        Spot,
        OnDemand,
        Mixed
    }

    /**
     * @param concurrency requests that one replica works on at once
     * @param targetUtilization share of {@code concurrency} to aim for, in (0, 1]
     * @param idleAfter without requests, until the last replica goes
     */
    public record Scaling(int min, int max, int concurrency, double targetUtilization, Duration idleAfter) {}

    public record KeepWarm(WarmPolicy policy, Duration idleTimeout, List<Schedule> schedule) {}

    public enum WarmPolicy {
        Adaptive,
        Fixed,
        Always,
        Never
    }

    public record Schedule(String cron, String timezone, Duration duration, int min) {}

    public record Batching(int maxSize, Duration maxDelay) {}

    public record TrafficTarget(int version, int percent) {}
}
