package io.knabla.controller.standin;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Pause of a client between two calls: without it, a few clients fill a small machine, and the platform starts late.
 */
public final class Pace {
    private static final Duration PAUSE = Duration.ofMillis(2);

    private Pace() {}

    public static void pause() {
        LockSupport.parkNanos(PAUSE.toNanos());
    }
}
