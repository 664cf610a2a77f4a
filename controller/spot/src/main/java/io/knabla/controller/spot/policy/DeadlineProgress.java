package io.knabla.controller.spot.policy;

import java.time.Duration;

/**
 * How far a job with a deadline is.
 *
 * @param work compute time of the whole job on {@code target} replicas
 * @param allowed time from its start to the deadline
 * @param workLeft compute time that is left
 * @param timeLeft time until the deadline; negative if it has passed
 * @param changeover time that a new set of replicas needs before it makes progress
 */
public record DeadlineProgress(
        Duration work, Duration allowed, Duration workLeft, Duration timeLeft, Duration changeover) {
    public boolean isDone() {
        return !workLeft.isPositive();
    }

    public Duration elapsed() {
        return allowed.minus(timeLeft);
    }

    public Duration done() {
        return work.minus(workLeft);
    }

    /** Work done at this time by a job that progresses evenly until its deadline. */
    public Duration expectedAt(Duration elapsed) {
        return Duration.ofNanos((long) (elapsed.toNanos() * ((double) work.toNanos() / allowed.toNanos())));
    }
}
