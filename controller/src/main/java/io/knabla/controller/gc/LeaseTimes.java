package io.knabla.controller.gc;

import java.time.Duration;

/**
 * How long leases last.
 *
 * @param life a lease that was not renewed for so long, by the store's clock, is over
 * @param trust a holder that has not renewed for so long, by its own clocks, no longer acts on it; what is left of
 *     {@code life} is for a request that is slow to reach the store
 * @param renewal how often a holder renews
 * @param poll how often one who waits looks again
 * @param deployPatience how long a deploy waits for a collection
 * @param collectorPatience how long a collection waits for deploys, while new ones wait for it
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
