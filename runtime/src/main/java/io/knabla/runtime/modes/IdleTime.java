package io.knabla.runtime.modes;

import java.time.Duration;

/** Decides when an idle model gives device memory back: once after each period of use. Not thread-safe. */
final class IdleTime {
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private long runs;
    private long since;
    private boolean over;

    /** @param now in nanoseconds */
    IdleTime(long runs, long now) {
        this.runs = runs;
        this.since = now;
    }

    /**
     * Whether it gives memory back now, which takes one run.
     *
     * @param runsNow since the start
     * @param now in nanoseconds
     */
    boolean isOver(long runsNow, long now) {
        if (runsNow != runs) {
            runs = runsNow;
            since = now;
            over = false;
            return false;
        }
        if (over || now - since < PATIENCE.toNanos()) {
            return false;
        }
        over = true;
        runs++;
        return true;
    }
}
