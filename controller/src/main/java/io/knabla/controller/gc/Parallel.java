package io.knabla.controller.gc;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Applies an action to many items, several at a time, to hide the latency of a remote store.
 *
 * @param concurrency maximum number of concurrent actions
 */
record Parallel(int concurrency) {
    /**
     * Waits for all items. After the first failure no further item starts; the failure is thrown once all running
     * actions have ended.
     */
    <T> void each(List<T> things, Consumer<T> work) {
        var next = new AtomicInteger();
        RuntimeException failed = null;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<? extends Future<?>> all = IntStream.range(0, Math.min(concurrency, things.size()))
                    .mapToObj(_ -> threads.submit(() -> take(things, next, work)))
                    .toList();
            for (Future<?> one : all) {
                try {
                    one.get();
                } catch (ExecutionException | CancellationException broken) {
                    next.set(things.size());
                    failed = failed == null ? unchecked(broken) : failed;
                } catch (InterruptedException stopped) {
                    next.set(things.size());
                    Thread.currentThread().interrupt();
                    failed = failed == null ? new IllegalStateException(stopped) : failed;
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    private static <T> void take(List<T> things, AtomicInteger next, Consumer<T> work) {
        for (int i = next.getAndIncrement(); i < things.size(); i = next.getAndIncrement()) {
            work.accept(things.get(i));
        }
    }

    private static RuntimeException unchecked(Exception broken) {
        return broken.getCause() instanceof RuntimeException cause
                ? cause
                : new IllegalStateException(broken.getCause());
    }
}
