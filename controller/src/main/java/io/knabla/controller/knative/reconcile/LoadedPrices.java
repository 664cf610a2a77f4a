package io.knabla.controller.knative.reconcile;

import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.cost.price.PriceBook;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Keeps a price book in memory for reconciliations; reads it on a thread of its own, at once and then every hour. */
final class LoadedPrices implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LoadedPrices.class.getName());
    private static final Duration PERIOD = Duration.ofHours(1);
    private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

    private final Supplier<? extends PriceBook> source;
    private final Runnable loaded;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("knabla-prices").factory());

    private volatile Optional<PriceBook> book = Optional.empty();

    private LoadedPrices(Supplier<? extends PriceBook> source, Runnable loaded) {
        this.source = source;
        this.loaded = loaded;
    }

    /** @param loaded called when there are prices for the first time */
    static LoadedPrices open(Supplier<? extends PriceBook> source, Runnable loaded) {
        var prices = new LoadedPrices(source, loaded);
        prices.readAfter(Duration.ZERO);
        return prices;
    }

    /** Empty until they were read. */
    Optional<PriceBook> book() {
        return book;
    }

    private void readAfter(Duration delay) {
        timer.schedule(this::read, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void read() {
        try {
            boolean first = book.isEmpty();
            book = Optional.of(source.get());
            if (first) {
                loaded.run();
            }
            readAfter(PERIOD);
        } catch (RuntimeException failed) {
            if (!timer.isShutdown()) {
                LOG.log(WARNING, "cannot read prices, so costs in statuses stay as they are", failed);
                readAfter(AFTER_FAILURE);
            }
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
