package io.knabla.storage.s3;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The parts of one transfer, a few at once. After the first failure no more are started, and closing
 * waits until those under way are done. None is broken off: a server may have all of it already and
 * get to it later, and a part that comes after its upload was given up brings the upload back.
 */
final class PartTasks<T> implements AutoCloseable {
    private final Semaphore places;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<T>> tasks = new ArrayList<>();
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

    PartTasks(int atOnce) {
        this.places = new Semaphore(atOnce);
    }

    /** Waits for a place. Throws what an earlier part threw. */
    void start(Callable<T> task) throws InterruptedException {
        places.acquire();
        check();
        tasks.add(threads.submit(() -> run(task)));
    }

    private T run(Callable<T> task) throws Exception {
        try {
            return task.call();
        } catch (RuntimeException failed) {
            failure.compareAndSet(null, failed);
            throw failed;
        } finally {
            places.release();
        }
    }

    void check() {
        RuntimeException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    /** What every part answered, in the order they were started. */
    List<T> results() throws InterruptedException {
        List<T> results = new ArrayList<>();
        for (Future<T> task : tasks) {
            try {
                results.add(task.get());
            } catch (ExecutionException | CancellationException failed) {
                check();
                throw new IllegalStateException(failed);
            }
        }
        return results;
    }

    /** Breaks off what is under way, for one who must not wait. */
    void stop() {
        threads.shutdownNow();
    }

    @Override
    public void close() {
        threads.close();
    }
}
