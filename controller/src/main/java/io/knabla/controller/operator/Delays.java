package io.knabla.controller.operator;

import java.time.Duration;

/** How long to wait before trying again: longer after every failure in a row, never above a limit. */
record Delays(Duration first, Duration most) {
    private static final int DOUBLINGS = 20;

    /** @param failures in a row, at least 1 */
    Duration after(int failures) {
        Duration wait = first.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS));
        return wait.compareTo(most) < 0 ? wait : most;
    }
}
