package io.knabla.controller.local.gateway;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Times out the requests that the gateway is passing on, each at most 50 ms after its deadline. One thread checks all
 * of them: a timed wait of a virtual thread wakes the scheduler's timer thread, which costs about as much as forwarding
 * the request.
 */
final class Deadlines implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Deadlines.class.getName());
    private static final long PERIOD_MILLIS = 50;

    private final Set<Exchange> running = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("deadlines").factory());

    void start() {
        thread.scheduleWithFixedDelay(this::check, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    void add(Exchange exchange) {
        running.add(exchange);
    }

    void remove(Exchange exchange) {
        running.remove(exchange);
    }

    private void check() {
        long now = System.nanoTime();
        for (Exchange exchange : running) {
            try {
                exchange.checkTime(now);
            } catch (RuntimeException bug) {
                // Otherwise no exchange would ever time out again.
                LOG.log(System.Logger.Level.ERROR, "cannot check the deadline of a request", bug);
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
