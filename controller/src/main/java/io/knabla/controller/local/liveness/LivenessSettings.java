package io.knabla.controller.local.liveness;

import java.time.Duration;

/**
 * Intervals, time-outs and thresholds of health probes.
 *
 * @param period from one probe of a replica to its next
 * @param timeout for the response to one probe
 * @param tolerance a miss counts only if the controller itself was not later than this with sending and with waking up
 * @param busyCpu CPU time used during a missed probe from which on the replica counts as busy, not as stalled; so it
 *     does if it waited for a CPU for half of the timeout
 * @param stalledMisses a replica that neither used a CPU nor waited for one is killed at its so manieth miss in a row
 * @param busyMissesRouted a busy replica gets no more requests from its so manieth miss in a row
 * @param busyMisses a busy replica is killed at its so manieth miss in a row
 */
public record LivenessSettings(
        Duration period,
        Duration timeout,
        Duration tolerance,
        Duration busyCpu,
        int stalledMisses,
        int busyMissesRouted,
        int busyMisses) {
    /**
     * A stopped or deadlocked process is routed around within 3.5 s and killed within 8 s; one that computes but does
     * not answer, as on an overloaded machine, is killed after half a minute.
     */
    public static final LivenessSettings DEFAULT = new LivenessSettings(
            Duration.ofSeconds(2), Duration.ofMillis(1500), Duration.ofMillis(500), Duration.ofMillis(20), 3, 2, 15);
}
