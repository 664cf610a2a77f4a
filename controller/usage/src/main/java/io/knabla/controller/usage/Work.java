package io.knabla.controller.usage;

import io.knabla.functions.unit.usage.Counters;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Requests that a replica answered in a period, and what it counted with them.
 *
 * @param succeeded requests answered
 * @param failed requests answered with an error of the server
 * @param retried requests sent to another replica after this one
 * @param elements tensor elements of the answered requests, inputs and outputs
 * @param busyMillis sum of the requests' durations
 * @param counters what only some replicas count, such as tokens
 */
public record Work(long succeeded, long failed, long retried, long elements, long busyMillis, Counters counters) {
    public static final Work NONE = new Work(0, 0, 0, 0, 0);

    /** Without counters. */
    public Work(long succeeded, long failed, long retried, long elements, long busyMillis) {
        this(succeeded, failed, retried, elements, busyMillis, Counters.NONE);
    }

    /** @param retried which the replica does not know */
    public static Work of(ReplicaTotals totals, long retried) {
        return new Work(
                totals.succeeded(),
                totals.failed(),
                retried,
                totals.elements(),
                totals.busyMillis(),
                totals.counters());
    }

    public Work plus(Work other) {
        return new Work(
                succeeded + other.succeeded,
                failed + other.failed,
                retried + other.retried,
                elements + other.elements,
                busyMillis + other.busyMillis,
                counters.plus(other.counters));
    }

    /** What was done since. */
    public Work minus(Work earlier) {
        return new Work(
                succeeded - earlier.succeeded,
                failed - earlier.failed,
                retried - earlier.retried,
                elements - earlier.elements,
                busyMillis - earlier.busyMillis,
                counters.minus(earlier.counters));
    }

    /** The larger of each number; of too many counters those of this work stay, see {@link Counters#max}. */
    public Work max(Work other) {
        return new Work(
                Math.max(succeeded, other.succeeded),
                Math.max(failed, other.failed),
                Math.max(retried, other.retried),
                Math.max(elements, other.elements),
                Math.max(busyMillis, other.busyMillis),
                counters.max(other.counters));
    }

    /**
     * Returns whole numbers, rounded down.
     *
     * @param share of each, 0 to 1
     */
    public Work share(BigDecimal share) {
        return new Work(
                part(succeeded, share),
                part(failed, share),
                part(retried, share),
                part(elements, share),
                part(busyMillis, share),
                counters.each(count -> part(count, share)));
    }

    private static long part(long number, BigDecimal share) {
        return BigDecimal.valueOf(number)
                .multiply(share)
                .setScale(0, RoundingMode.DOWN)
                .longValueExact();
    }

    public long requests() {
        return succeeded + failed;
    }
}
