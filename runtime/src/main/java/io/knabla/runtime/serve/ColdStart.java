package io.knabla.runtime.serve;

import java.time.Duration;

/**
 * Decides whether a request waited for this replica's cold start under Knative. A request that finds no replica waits
 * in Knative's activator, which does not report for how long, so the replica infers it from arrival times.
 */
enum ColdStart {
    EARLY("it arrived before the model was loaded"),
    HELD("the activator held it and forwarded it when this replica became ready"),
    LATE("it arrived too late to have waited for the start"),
    DIRECT("it did not come through the activator, where requests wait for a start"),
    UNSURE("it waited in the activator's queue, or follows an earlier answer");

    /** Header that the activator sets on requests it forwards; queue-proxy keeps it. */
    static final String PROXY_HEADER = "K-Proxy-Request";

    static final String ACTIVATOR = "activator";

    /**
     * Time after the load by which the activator has forwarded the requests that it held. Queue-proxy sees the loaded
     * model within 50 ms and the activator, which probes queue-proxy every 200 ms, within 300 ms more (Knative 1.22,
     * {@code pkg/queue/readiness} and {@code pkg/activator/net}). The activator also needs the pod's address, which the
     * kubelet, with its one-second loop, may publish only after the load.
     */
    static final Duration ACTIVATOR_WINDOW = Duration.ofMillis(1500);

    final String reason;

    ColdStart(String reason) {
        this.reason = reason;
    }

    boolean waited() {
        return this == EARLY || this == HELD;
    }

    /** A complete header line; empty if unknown. */
    String header() {
        return switch (this) {
            case EARLY, HELD -> "Knabla-Start: cold\r\n";
            case LATE, DIRECT -> "Knabla-Start: warm\r\n";
            case UNSURE -> "";
        };
    }

    /**
     * Classifies one request. A caller whose second request follows an answer must not be reported as waiting again.
     * That request is indistinguishable from another caller's first, because the activator forwards only as many at
     * once as the replica accepts: both arrive when nobody waits here, milliseconds after an answer.
     *
     * @param sinceLoad nanoseconds from the end of the load to the request's arrival; negative if it arrived earlier
     * @param answered whether some requests waited and all of them have been answered
     */
    static ColdStart of(boolean byActivator, long sinceLoad, boolean answered) {
        if (sinceLoad < 0) {
            return EARLY;
        }
        if (sinceLoad > ACTIVATOR_WINDOW.toNanos()) {
            return LATE;
        }
        if (!byActivator) {
            return DIRECT;
        }
        return answered ? UNSURE : HELD;
    }
}
