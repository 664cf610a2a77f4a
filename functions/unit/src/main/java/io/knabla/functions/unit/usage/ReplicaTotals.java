package io.knabla.functions.unit.usage;

/**
 * Totals of a replica's work and resources since its process started, as it counts them. It is not trusted: a number
 * outside of 0 and {@link Counters#MOST} is the nearer of the two, and of its counters only {@link Counters#MOST_NAMES}
 * are kept.
 *
 * @param succeeded requests answered
 * @param failed requests answered with a status of 500 or more; errors of clients are in neither count
 * @param elements tensor elements of the answered requests, inputs and outputs
 * @param busyMillis sum of the durations of both, from arrival to answer
 * @param cpuMillis CPU time of the process; 0 where the system does not report it
 * @param residentBytes memory of the process when it was read; 0 where the system does not report it
 * @param counters what only some replicas count, such as tokens
 */
public record ReplicaTotals(
        long succeeded,
        long failed,
        long elements,
        long busyMillis,
        long cpuMillis,
        long residentBytes,
        Counters counters) {
    public static final ReplicaTotals NONE = new ReplicaTotals(0, 0, 0, 0, 0, 0);

    public ReplicaTotals {
        succeeded = bounded(succeeded);
        failed = bounded(failed);
        elements = bounded(elements);
        busyMillis = bounded(busyMillis);
        cpuMillis = bounded(cpuMillis);
        residentBytes = bounded(residentBytes);
        counters = counters.isEmpty() ? counters : Counters.bounded(counters.byName());
    }

    public ReplicaTotals(
            long succeeded, long failed, long elements, long busyMillis, long cpuMillis, long residentBytes) {
        this(succeeded, failed, elements, busyMillis, cpuMillis, residentBytes, Counters.NONE);
    }

    private static long bounded(long number) {
        return Math.clamp(number, 0, Counters.MOST);
    }

    /** Whether requests were counted between the other totals and these. */
    public boolean hasSameWork(ReplicaTotals other) {
        return succeeded == other.succeeded
                && failed == other.failed
                && busyMillis == other.busyMillis
                && counters.equals(other.counters);
    }

    /** Totals of two runs; the memory is the larger one. */
    public ReplicaTotals plus(ReplicaTotals other) {
        return new ReplicaTotals(
                succeeded + other.succeeded,
                failed + other.failed,
                elements + other.elements,
                busyMillis + other.busyMillis,
                cpuMillis + other.cpuMillis,
                Math.max(residentBytes, other.residentBytes),
                counters.plus(other.counters));
    }
}
