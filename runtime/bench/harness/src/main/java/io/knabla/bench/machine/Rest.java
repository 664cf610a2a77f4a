package io.knabla.bench.machine;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits before a measurement until other processes leave the machine mostly idle, for a limited time.
 *
 * @param looks most samples of the machine's load; 0 = no waiting
 */
public record Rest(Duration look, int looks) {
    public static final Rest DEFAULT = new Rest(Duration.ofMillis(200), 8);
    public static final Rest NONE = new Rest(Duration.ZERO, 0);

    private static final double CALM = 0.1;

    public void await() {
        for (int done = 0; done < looks; done++) {
            MachineLoad before = MachineLoad.now();
            LockSupport.parkNanos(look.toNanos());
            if (MachineLoad.now().foreignShareSince(before, 0) < CALM) {
                return;
            }
        }
    }
}
