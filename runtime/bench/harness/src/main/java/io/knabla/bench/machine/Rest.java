package io.knabla.bench.machine;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * How long a busy machine is given to calm down before something is measured on it.
 *
 * @param looks at the machine's load, at most; 0 = no waiting at all
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
