package io.knabla.controller.cost.query;

import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.price.PriceBook;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Keeps the platform's price book in memory, for those that must not wait for the store: reads it in the background,
 * from the first question on. Thread-safe.
 */
@Singleton
public class CurrentPrices implements AutoCloseable {
    /** Refreshed prices are read from the store as often. */
    private static final Duration PERIOD = Duration.ofMinutes(10);

    private static final Duration UNTIL_FIRST = Duration.ofMinutes(1);

    private final Supplier<? extends PriceBook> source;
    private final PeriodicTask task = new PeriodicTask("knabla-prices", "read prices", this::read);
    private final AtomicBoolean asked = new AtomicBoolean();
    private final CompletableFuture<Void> known = new CompletableFuture<>();
    private volatile Optional<PriceBook> book = Optional.empty();

    @Inject
    CurrentPrices(PlatformPrices prices) {
        this(prices::book);
    }

    /** @param source called on a thread of its own; may read a store */
    public CurrentPrices(Supplier<? extends PriceBook> source) {
        this.source = source;
    }

    /** The book that was read last, the same object until the next; empty until the first was read. Does not wait. */
    public Optional<PriceBook> book() {
        if (asked.compareAndSet(false, true)) {
            task.start(Duration.ZERO, () -> book.isPresent() ? PERIOD : UNTIL_FIRST);
        }
        return book;
    }

    /** Calls the listener once, when the first book was read; at once if one was. */
    public void whenKnown(Runnable listener) {
        book();
        known.thenRun(listener);
    }

    private void read() {
        book = Optional.of(source.get());
        known.complete(null);
    }

    @Override
    @PreDestroy
    public void close() {
        task.close();
    }
}
