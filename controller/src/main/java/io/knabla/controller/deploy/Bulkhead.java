package io.knabla.controller.deploy;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Limits concurrent jobs and the queue before them; rejects jobs beyond both. Packaging, for one, holds a whole graph
 * in memory.
 */
final class Bulkhead {
    private final Semaphore running;
    private final Semaphore admitted;

    Bulkhead(int atOnce, int waiting) {
        running = new Semaphore(atOnce, true);
        admitted = new Semaphore(atOnce + waiting);
    }

    /** Runs the job when a permit is free; returns empty at once if the queue is full. */
    <T> Optional<T> tryRun(Supplier<T> job) {
        if (!admitted.tryAcquire()) {
            return Optional.empty();
        }
        try {
            running.acquireUninterruptibly();
            try {
                return Optional.of(job.get());
            } finally {
                running.release();
            }
        } finally {
            admitted.release();
        }
    }
}
