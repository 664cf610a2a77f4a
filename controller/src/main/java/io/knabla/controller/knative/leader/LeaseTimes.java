package io.knabla.controller.knative.leader;

import java.time.Duration;

/**
 * Timing of the leader election: when a Lease is renewed, given up and taken over. The other controllers watch the
 * Lease, which means that only renewals cost calls.
 *
 * @param leaseDuration how long others wait for a renewal before they take over: the longest gap after a crash
 * @param renewDeadline how long after the last renewal a leader stops by itself; the rest of the lease duration is for
 *     its work to end
 * @param renewInterval interval between two renewals
 * @param retryPeriod delay after a failure; also the request timeout of the API server
 */
public record LeaseTimes(Duration leaseDuration, Duration renewDeadline, Duration renewInterval, Duration retryPeriod) {
    /**
     * Seven and a half renewals a minute, one call each. About ten watches, each reopened every 5 to 10 minutes, add
     * one and a half. That is 9 calls in an idle minute, independent of the number of functions; the limit is 10 for
     * 100 functions. Between renewal (8 s) and stop (14 s) the API server may be silent for 6 s; between stop and
     * takeover (20 s) running reconciliations have 6 s to end, see {@code FunctionOperator.TERMINATION_TIMEOUT}.
     */
    public static final LeaseTimes DEFAULT = new LeaseTimes(
            Duration.ofSeconds(20), Duration.ofSeconds(14), Duration.ofSeconds(8), Duration.ofSeconds(2));
}
