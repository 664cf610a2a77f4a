package io.knabla.controller.gc;

import java.time.Duration;

/**
 * Durations of the lease protocol.
 *
 * @param life a lease that was not renewed for this long, by the store's clock, has expired
 * @param trust a holder that has not renewed for this long, by its own clocks, stops acting; the rest of {@code life}
 *     is for a request that reaches the store late
 * @param renewal interval between two renewals
 * @param poll interval between two checks of a waiter
 * @param deployPatience how long a deploy waits for a collection
 * @param collectorPatience how long a collection waits for deploys, while new deploys wait for it
 */
record LeaseTimes(
        Duration life,
        Duration trust,
        Duration renewal,
        Duration poll,
        Duration deployPatience,
        Duration collectorPatience) {
    static final LeaseTimes DEFAULT = new LeaseTimes(
            Duration.ofMinutes(4),
            Duration.ofMinutes(1),
            Duration.ofSeconds(15),
            Duration.ofMillis(250),
            Duration.ofMinutes(3),
            Duration.ofMinutes(1));

    LeaseTimes {
        if (trust.compareTo(life) >= 0 || renewal.compareTo(trust) >= 0) {
            throw new IllegalArgumentException(
                    "a lease needs renewal < trust < life, was %s, %s, %s".formatted(renewal, trust, life));
        }
    }
}
