package io.knabla.controller.simulate.generation;

import io.knabla.runtime.schedule.ScheduleLimits;
import java.time.Duration;

/**
 * Limits of a simulated replica: of its scheduler, its queue and the wait in it.
 *
 * @param schedule what the scheduler keeps
 * @param queue most texts that wait; one more is refused
 * @param maxWait longest time that a text waits until it begins; then it is refused
 */
public record ReplicaLimits(ScheduleLimits schedule, int queue, Duration maxWait) {
    public ReplicaLimits {
        if (queue < 1 || !maxWait.isPositive()) {
            throw new IllegalArgumentException("need a queue of 1 or more, and a wait of more than 0");
        }
    }
}
