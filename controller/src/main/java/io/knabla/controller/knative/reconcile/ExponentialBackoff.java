package io.knabla.controller.knative.reconcile;

import java.time.Duration;

/** Exponential backoff: the delay doubles with every consecutive failure, up to a limit. */
record ExponentialBackoff(Duration first, Duration most) {
    private static final int DOUBLINGS = 20;

    /** @param failures consecutive, at least 1 */
    Duration after(int failures) {
        Duration wait = first.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS));
        return wait.compareTo(most) < 0 ? wait : most;
    }
}
