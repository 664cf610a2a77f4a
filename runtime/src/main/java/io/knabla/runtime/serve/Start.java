package io.knabla.runtime.serve;

import java.time.Duration;

/**
 * Whether a request waited for this replica's start, as far as the replica can tell where Knative runs it: a request
 * without a replica waits in Knative's activator, which does not say for how long.
 */
enum Start {
    EARLY("it came before the model was loaded"),
    HELD("the activator passed it on as soon as it saw this replica, beside or as the first"),
    LATE("had it waited for the start, it would have come sooner"),
    DIRECT("it did not come by the activator, where requests wait for a start"),
    UNSURE("it waited behind those that the replica could take, or follows an answer");

    /** What the activator sets on all that it passes on; queue-proxy leaves it. */
    static final String PROXY = "K-Proxy-Request";

    static final String ACTIVATOR = "activator";

    /**
     * Until then the activator has passed on what it held. Once the model is loaded, queue-proxy sees it within 50 ms
     * and the activator, which asks queue-proxy every 200 ms, within 300 ms more (Knative 1.22,
     * {@code pkg/queue/readiness} and {@code pkg/activator/net}). It must know the pod's address for that, and the
     * kubelet, which looks at its containers once a second, may tell it after the load.
     */
    static final Duration RELEASE = Duration.ofMillis(1500);

    final String reason;

    Start(String reason) {
        this.reason = reason;
    }

    boolean waited() {
        return this == EARLY || this == HELD;
    }

    /** A complete header line, or none for what nobody can tell. */
    String header() {
        return switch (this) {
            case EARLY, HELD -> "Knabla-Start: cold\r\n";
            case LATE, DIRECT -> "Knabla-Start: warm\r\n";
            case UNSURE -> "";
        };
    }

    /**
     * A caller that has its answer and calls again must not be told that it waited once more. Its second call may look
     * like the first of another, for the activator passes on no more at once than the replica may take: both come when
     * nobody waits here, some milliseconds after an answer.
     *
     * @param sinceLoad nanoseconds from when the model was loaded to the request's arrival
     * @param answered whether there were requests that waited, and all of them have their answers
     */
    static Start of(boolean byActivator, long sinceLoad, boolean answered) {
        if (sinceLoad < 0) {
            return EARLY;
        }
        if (sinceLoad > RELEASE.toNanos()) {
            return LATE;
        }
        if (!byActivator) {
            return DIRECT;
        }
        return answered ? UNSURE : HELD;
    }
}
