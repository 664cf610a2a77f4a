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
 * Runs the parts of one transfer with bounded concurrency. After the first failure it starts no more parts, but waits
 * for the running ones instead of cancelling them: a server may process a cancelled part later, and a part that arrives
 * after the abort restores the upload.
 */
final class PartTasks<T> implements AutoCloseable {
    /** Starts the parts of one transfer in sequence. */
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
     * Runs the parts and returns their results in the order of their start.
     *
     * @throws InterruptedException immediately; only an interruption cancels running parts
     */
    static <T, E extends Exception> List<T> runAll(int atOnce, Starter<T, E> starter) throws E, InterruptedException {
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

    /** Waits for a free slot, then starts the part. Throws the exception of an earlier part, if any. */
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
