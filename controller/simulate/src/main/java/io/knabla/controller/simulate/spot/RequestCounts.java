package io.knabla.controller.simulate.spot;

import java.time.Duration;

/**
 * How many requests of a simulation arrived, failed and were retried, and how long they took.
 *
 * @param failed not answered within the timeout
 * @param retried started anew because their replica was lost; each counted once
 * @param median time until the answer; that of a failed one is the timeout
 */
public record RequestCounts(long arrived, long failed, long retried, Duration median, Duration p99) {
    public static final RequestCounts NONE = new RequestCounts(0, 0, 0, Duration.ZERO, Duration.ZERO);
}
