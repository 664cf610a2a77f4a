package io.knabla.controller.deploy;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Heavy work, few at once: packaging holds a whole graph in memory. Some may wait, the rest are sent away. */
final class Workshop {
    private final Semaphore benches;
    private final Semaphore places;

    Workshop(int atOnce, int waiting) {
        benches = new Semaphore(atOnce, true);
        places = new Semaphore(atOnce + waiting);
    }

    /** Empty when there is no place left to wait in. */
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
