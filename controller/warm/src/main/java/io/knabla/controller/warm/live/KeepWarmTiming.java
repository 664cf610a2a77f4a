package io.knabla.controller.warm.live;

import java.time.Duration;

/**
 * When the platform decides about warm replicas and how fast it starts them, on a laptop or on a cluster.
 *
 * @param period between two decisions about all functions
 * @param reaction time from a decision until a start begins
 * @param startSeconds expected of a start, until one was measured
 * @param mostStarts functions whose replicas are started ahead in one period, so that starts do not slow each other
 */
public record KeepWarmTiming(Duration period, Duration reaction, double startSeconds, int mostStarts) {
    /** Processes of this machine. */
    public static final KeepWarmTiming LAPTOP =
            new KeepWarmTiming(Duration.ofSeconds(1), Duration.ofMillis(300), 0.2, Integer.MAX_VALUE);

    /**
     * Pods of a quiet cluster, whose start {@code ./knabla bench cluster} measured; Knative starts about two of them a
     * second.
     */
    public static final KeepWarmTiming CLUSTER =
            new KeepWarmTiming(Duration.ofSeconds(5), Duration.ofSeconds(3), 1.6, 10);

    /** How long before it must be ready the start of a replica is decided. */
    public Duration lead(double seconds) {
        return reaction.plus(period).plusMillis(Math.round(1e3 * seconds));
    }
}
