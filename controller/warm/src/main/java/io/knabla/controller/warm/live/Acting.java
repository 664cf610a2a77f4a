package io.knabla.controller.warm.live;

import java.time.Duration;

/**
 * How the platform acts on what keep-warm policies decide, on one kind of infrastructure.
 *
 * @param period between two decisions about all functions
 * @param reaction time from a decision until a start begins
 * @param startSeconds expected of a start, until one was measured
 * @param mostStarts functions whose replicas are started ahead in one period, so that starts do not slow each other
 */
public record Acting(Duration period, Duration reaction, double startSeconds, int mostStarts) {
    /** Processes of this machine. */
    public static final Acting LAPTOP =
            new Acting(Duration.ofSeconds(1), Duration.ofMillis(300), 0.2, Integer.MAX_VALUE);

    /**
     * Pods of a quiet cluster, whose start {@code ./knabla bench cluster} measured; Knative starts about two of them a
     * second.
     */
    public static final Acting CLUSTER = new Acting(Duration.ofSeconds(5), Duration.ofSeconds(3), 1.6, 10);

    /** How long before it must be ready the start of a replica is decided. */
    public Duration lead(double seconds) {
        return reaction.plus(period).plusMillis(Math.round(1e3 * seconds));
    }
}
