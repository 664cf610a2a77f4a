package io.knabla.controller.simulate.spot;

import io.knabla.controller.spot.policy.DeadlineProgress;
import java.time.Duration;

/** A job with a deadline, and how far it is. */
final class DeadlineJob {
    private DeadlineProgress progress;

    DeadlineJob(Duration work, Duration allowed, Duration changeover) {
        this.progress = new DeadlineProgress(work, allowed, work, allowed, changeover);
    }

    boolean isDone() {
        return progress.isDone();
    }

    Duration timeLeft() {
        return progress.timeLeft();
    }

    DeadlineProgress progress() {
        return progress;
    }

    /** Time passes. A job that is done within it has its deadline measured then. */
    void advance(Duration time, boolean works) {
        Duration left = works ? progress.workLeft().minus(time) : progress.workLeft();
        progress = new DeadlineProgress(
                progress.work(), progress.allowed(), left, progress.timeLeft().minus(time), progress.changeover());
    }
}
