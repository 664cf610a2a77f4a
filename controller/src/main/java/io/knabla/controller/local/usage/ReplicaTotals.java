package io.knabla.controller.local.usage;

/**
 * What a replica says that it did since its start, and what its process used.
 *
 * @param elements tensor elements of the answered requests
 * @param busyMillis sum of the requests' durations
 * @param cpuMillis CPU time of the process
 * @param residentBytes memory of the process
 */
public record ReplicaTotals(
        long succeeded, long failed, long elements, long busyMillis, long cpuMillis, long residentBytes) {
    static final ReplicaTotals NONE = new ReplicaTotals(0, 0, 0, 0, 0, 0);
}
