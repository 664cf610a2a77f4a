package io.knabla.storage.s3.parts;

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
 * The parts of one transfer, a few at once. After the first failure no more are started, and who fails waits until
 * those under way are done. None is broken off: a server may have all of it already and get to it later, and a part
 * that comes after its upload was given up brings the upload back.
 */
final class PartTasks<T> implements AutoCloseable {
    /** Starts the parts of one transfer, one after the other. */
    interface Starter<T, E extends Exception> {
        void start(PartTasks<T> tasks) throws E, InterruptedException;
    }

    private final Semaphore places;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<T>> tasks = new ArrayList<>();
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

    private PartTasks(int atOnce) {
        this.places = new Semaphore(atOnce);
    }

    /**
     * Answers what every part answered, in the order they were started.
     *
     * @throws InterruptedException at once: only then is what is under way broken off
     */
    static <T, E extends Exception> List<T> all(int atOnce, Starter<T, E> starter) throws E, InterruptedException {
        try (PartTasks<T> tasks = new PartTasks<>(atOnce)) {
            try {
                starter.start(tasks);
                return tasks.results();
            } catch (InterruptedException stopped) {
                tasks.threads.shutdownNow();
                throw stopped;
            }
        }
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

    private List<T> results() throws InterruptedException {
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

    @Override
    public void close() {
        threads.close();
    }
}
