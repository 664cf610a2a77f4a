package io.knabla.controller.scale;

import io.knabla.controller.platform.ReplicaCapacity;
import io.knabla.functions.spec.FunctionSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * Autoscaling parameters of one version, with Knative's names and bounds; validated on construction.
 *
 * @param capacity concurrent requests per replica; 0 = unlimited
 * @param target lowers {@code capacity}, as Knative's {@code target} does
 * @param panicWindowPercent of the stable window, rounded to whole seconds, at least one
 * @param activationScale smallest replica count above zero
 * @param idleAfter time without requests after which the last replica stops; Knative's pod retention
 */
public record KpaPolicy(
        int capacity,
        Optional<Double> target,
        double utilization,
        Duration stableWindow,
        double panicWindowPercent,
        double panicThreshold,
        double maxScaleUpRate,
        double maxScaleDownRate,
        Optional<Duration> scaleDownDelay,
        int activationScale,
        int initialScale,
        int min,
        int max,
        Duration idleAfter) {
    private static final int UNBOUNDED_CAPACITY = 100;
    private static final double LEAST_GOAL = 0.01;
    private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(6);

    public KpaPolicy {
        check(capacity >= 0, "capacity must not be negative, was %s", capacity);
        check(utilization > 0 && utilization <= 1, "utilization must be in (0, 1], was %s", utilization);
        check(
                stableWindow.compareTo(Duration.ofSeconds(1)) >= 0,
                "stableWindow must be at least 1 s, was %s",
                stableWindow);
        check(
                panicWindowPercent > 0 && panicWindowPercent <= 100,
                "panicWindowPercent must be in (0, 100], was %s",
                panicWindowPercent);
        check(panicThreshold > 1, "panicThreshold must exceed 1, was %s", panicThreshold);
        check(maxScaleUpRate > 1, "maxScaleUpRate must exceed 1, was %s", maxScaleUpRate);
        check(maxScaleDownRate > 1, "maxScaleDownRate must exceed 1, was %s", maxScaleDownRate);
        check(activationScale >= 1, "activationScale must be at least 1, was %s", activationScale);
        check(initialScale >= 0, "initialScale must not be negative, was %s", initialScale);
        check(0 <= min && min <= max && max >= 1, "need 0 <= min <= max >= 1, was %s..%s", min, max);
        check(!idleAfter.isNegative(), "idleAfter must not be negative, was %s", idleAfter);
    }

    /**
     * Knative's defaults with the function's own settings. The stable window equals {@code idleAfter} within Knative's
     * limits: a function that scales to zero soon also forgets its load soon.
     */
    public static KpaPolicy of(FunctionSpec spec) {
        return of(spec, 0);
    }

    /** @param warm replicas to run without requests, besides {@code scaling.min} */
    static KpaPolicy of(FunctionSpec spec, int warm) {
        FunctionSpec.Scaling scaling = spec.scaling();
        return new KpaPolicy(
                ReplicaCapacity.of(spec),
                Optional.empty(),
                scaling.targetUtilization(),
                clamp(spec.idleAfter(), SHORTEST_WINDOW, VersionLoad.REMEMBERED),
                10,
                2.0,
                1000,
                2,
                Optional.empty(),
                1,
                1,
                Math.min(Math.max(scaling.min(), warm), scaling.max()),
                scaling.max(),
                spec.idleAfter());
    }

    Duration panicWindow() {
        double seconds = Math.rint(stableWindow.toMillis() / 1000.0 * panicWindowPercent / 100);
        return Duration.ofSeconds((long) Math.max(1, seconds));
    }

    /** Concurrent requests that one replica should have. */
    public double goal() {
        double cap = capacity == 0 ? UNBOUNDED_CAPACITY : capacity;
        return Math.max(LEAST_GOAL, Math.min(cap, target.orElse(cap)) * utilization);
    }

    private static Duration clamp(Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0) {
            return least;
        }
        return value.compareTo(most) > 0 ? most : Duration.ofSeconds(value.toSeconds());
    }

    private static void check(boolean holds, String message, Object... args) {
        if (!holds) {
            throw new IllegalArgumentException(message.formatted(args));
        }
    }
}
