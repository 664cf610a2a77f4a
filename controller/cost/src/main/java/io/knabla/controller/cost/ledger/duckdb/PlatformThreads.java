package io.knabla.controller.cost.ledger.duckdb;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A few platform threads for work that would hold the carrier of a virtual thread: native code, and computing of
 * seconds. Threads end after a while without work.
 */
public final class PlatformThreads {
    private static final long KEEP_SECONDS = 10;

    private final ExecutorService threads;

    /**
     * @param name of the threads, followed by a number
     * @param most of them; more work waits
     */
    public PlatformThreads(String name, int most) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                most,
                most,
                KEEP_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name(name, 0).factory());
        pool.allowCoreThreadTimeOut(true);
        this.threads = pool;
    }

    /** Work that may fail as reading and writing do. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws IOException;
    }

    /**
     * Runs the work and returns its result: of a virtual thread on one of these threads, of a platform thread, such as
     * these are, at once on itself. What the work throws is thrown here.
     *
     * @throws InterruptedIOException if the caller is interrupted; the work is interrupted as well
     */
    public <T> T run(Work<T> work) throws IOException {
        if (!Thread.currentThread().isVirtual()) {
            return work.run();
        }
        Future<T> result = threads.submit(work::run);
        try {
            return result.get();
        } catch (InterruptedException interrupted) {
            result.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while another thread worked");
        } catch (ExecutionException failed) {
            throw rethrown(failed.getCause());
        }
    }

    private static IOException rethrown(Throwable cause) throws IOException {
        return switch (cause) {
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            case IOException failed -> failed;
            default -> new IOException(cause);
        };
    }
}
