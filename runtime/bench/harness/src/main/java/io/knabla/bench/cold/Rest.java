package io.knabla.bench.cold;

import io.knabla.bench.machine.MachineLoad;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * How long a busy machine is given to calm down before something is measured on it.
 *
 * @param looks at the machine's load, at most; 0 = no waiting at all
 */
record Rest(Duration look, int looks) {
    static final Rest DEFAULT = new Rest(Duration.ofMillis(200), 15);
    static final Rest NONE = new Rest(Duration.ZERO, 0);

    private static final double CALM = 0.1;

    void await() {
        for (int done = 0; done < looks; done++) {
            MachineLoad before = MachineLoad.now();
            LockSupport.parkNanos(look.toNanos());
            if (MachineLoad.now().foreignShareSince(before, 0) < CALM) {
                return;
            }
        }
    }
}
