package io.knabla.controller.api;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Checks whether the object store answers, with at most one request per {@link #FRESH}. A store that hangs blocks one
 * thread, and each caller for a limited time.
 */
final class StoreProbe {
    static final Duration FRESH = Duration.ofSeconds(3);

    /** Below the 10 s after which the cluster's probe gives up. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final ObjectKey KEY = ObjectKey.of("catalog", "probe");

    /** One request to the store; its answer is empty, or says why the store cannot be used. */
    private record Request(CompletableFuture<Optional<String>> answer, long began) {}

    private final ObjectStore store;
    private final Duration patience;
    private final LongSupplier nanos;
    private Request latest;

    StoreProbe(ObjectStore store, Duration patience, LongSupplier nanos) {
        this.store = store;
        this.patience = patience;
        this.nanos = nanos;
    }

    /** Returns why the store cannot be used now; empty if it answers. */
    Optional<String> outage() {
        Request request = current();
        long left = patience.toNanos() - (nanos.getAsLong() - request.began());
        try {
            return request.answer().get(Math.max(0, left), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            return Optional.of("the store %s did not answer within %d ms; a request to it is still under way"
                    .formatted(store.location(), patience.toMillis()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.of("the check was interrupted");
        } catch (ExecutionException bug) {
            throw new IllegalStateException(bug.getCause());
        }
    }

    private synchronized Request current() {
        long now = nanos.getAsLong();
        if (latest == null || latest.answer().isDone() && now - latest.began() >= FRESH.toNanos()) {
            latest = new Request(new CompletableFuture<>(), now);
            Request begun = latest;
            Thread.ofVirtual()
                    .name("knabla-store-probe")
                    .start(() -> begun.answer().completeAsync(this::ask, Runnable::run));
        }
        return latest;
    }

    private Optional<String> ask() {
        try {
            store.stat(KEY);
            return Optional.empty();
        } catch (StorageException outage) {
            return Optional.of(outage.getMessage());
        }
    }
}
