package io.knabla.controller.deploy;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Limits concurrent jobs and the queue before them; rejects jobs beyond both. Packaging, for one, holds a whole graph
 * in memory.
 */
final class Workshop {
    private final Semaphore benches;
    private final Semaphore places;

    Workshop(int atOnce, int waiting) {
        benches = new Semaphore(atOnce, true);
        places = new Semaphore(atOnce + waiting);
    }

    /** Runs the job when a permit is free; returns empty at once if the queue is full. */
    <T> Optional<T> work(Supplier<T> job) {
        if (!places.tryAcquire()) {
            return Optional.empty();
        }
        try {
            benches.acquireUninterruptibly();
            try {
                return Optional.of(job.get());
            } finally {
                benches.release();
            }
        } finally {
            places.release();
        }
    }
}
