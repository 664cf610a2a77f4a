package io.knabla.bench.machine;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits before a measurement until other processes leave the machine mostly idle, for a limited time.
 *
 * @param looks most samples of the machine's load; 0 = no waiting
 */
public record Cooldown(Duration look, int looks) {
    public static final Cooldown DEFAULT = new Cooldown(Duration.ofMillis(200), 8);
    public static final Cooldown NONE = new Cooldown(Duration.ZERO, 0);

    private static final double CALM = 0.1;

    public void await() {
        for (int done = 0; done < looks; done++) {
            MachineCpuTime before = MachineCpuTime.now();
            LockSupport.parkNanos(look.toNanos());
            if (MachineCpuTime.now().foreignShareSince(before, 0) < CALM) {
                return;
            }
        }
    }
}
