package io.knabla.controller.scale;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * What one version's traffic looks like: the gateway counts requests in and out, the autoscaler reads averages. A
 * request counts from its arrival to its last byte, waiting included. Safe for use by many threads.
 */
public final class VersionLoad {
    /** No window is longer; the longest is Knative's default stable window. */
    static final Duration REMEMBERED = Duration.ofSeconds(60);

    private final InstantSource clock;
    private final ConcurrencySeries series;
    private long lastActive;

    public VersionLoad(InstantSource clock) {
        this.clock = clock;
        lastActive = clock.millis();
        series = new ConcurrencySeries(REMEMBERED, lastActive);
    }

    public synchronized void arrived() {
        series.change(clock.millis(), 1);
    }

    public synchronized void left() {
        lastActive = clock.millis();
        series.change(lastActive, -1);
    }

    public synchronized int current() {
        return series.current();
    }

    synchronized double average(Instant now, Duration window) {
        return series.average(now.toEpochMilli(), window);
    }

    /** Since when there has been no request; zero while there is one. */
    synchronized Duration idleFor(Instant now) {
        return series.current() > 0 ? Duration.ZERO : Duration.ofMillis(Math.max(0, now.toEpochMilli() - lastActive));
    }

    /** Starts the idle time anew, as when a replica was started without a request. */
    synchronized void touched() {
        lastActive = Math.max(lastActive, clock.millis());
    }
}
