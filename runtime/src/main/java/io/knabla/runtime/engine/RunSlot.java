package io.knabla.runtime.engine;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.RunOptions;

/**
 * Slot for one run, with the run options that can stop it. Used by one thread at a time; {@link #stopIfLate} by any.
 */
final class RunSlot {
    private final RunOptions options;
    private long deadline;
    private boolean running;
    private boolean stopped;
    private long stoppedAt;

    RunSlot() throws OrtException {
        this.options = new RunOptions();
    }

    synchronized RunOptions begin(long deadlineNanos) {
        deadline = deadlineNanos;
        running = true;
        return options;
    }

    /** Ends the run; true if it was stopped because it was late. */
    synchronized boolean end() {
        running = false;
        boolean late = stopped;
        if (late) {
            stopped = false;
            terminate(false);
        }
        return late;
    }

    synchronized void stopIfLate(long now) {
        if (running && !stopped && now - deadline >= 0) {
            stopped = true;
            stoppedAt = now;
            terminate(true);
        }
    }

    /** How long its run has gone on after it was told to stop; 0 if it has not. */
    synchronized long overdueNanos(long now) {
        return running && stopped ? Math.max(0, now - stoppedAt) : 0;
    }

    private void terminate(boolean stop) {
        try {
            options.setTerminate(stop);
        } catch (OrtException impossible) {
            throw new IllegalStateException("cannot reach the engine's stop flag", impossible);
        }
    }

    void close() {
        options.close();
    }
}
