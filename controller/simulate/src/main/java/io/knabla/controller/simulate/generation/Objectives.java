package io.knabla.controller.simulate.generation;

import java.time.Duration;

/**
 * Latency objectives of a text: goodput counts the texts that keep both.
 *
 * @param ttft longest time from the request to the first token
 * @param tpot longest mean time between two tokens: (last - first) / (tokens - 1)
 */
public record Objectives(Duration ttft, Duration tpot) {
    public Objectives {
        if (!ttft.isPositive() || !tpot.isPositive()) {
            throw new IllegalArgumentException(
                    "objectives must be more than 0, but are %s and %s".formatted(ttft, tpot));
        }
    }
}
