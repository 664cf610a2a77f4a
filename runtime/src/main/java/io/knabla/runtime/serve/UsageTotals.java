package io.knabla.runtime.serve;

import io.knabla.runtime.protocol.JsonWriter;

/**
 * What this replica did since its process started.
 *
 * @param succeeded requests answered
 * @param failed requests answered with a status of 500 or more; errors of clients are in neither count
 * @param elements tensor elements of the answered requests, inputs and outputs
 * @param busyMillis sum of the durations of both, from arrival to answer
 * @param cpuMillis CPU time of the process; 0 where the system does not report it
 * @param residentBytes memory of the process now; 0 where the system does not report it
 */
public record UsageTotals(
        long succeeded, long failed, long elements, long busyMillis, long cpuMillis, long residentBytes) {

    /** Whether requests were counted between the other totals and these. */
    public boolean hasSameWork(UsageTotals other) {
        return succeeded == other.succeeded && failed == other.failed && busyMillis == other.busyMillis;
    }

    /** Appends the fields of a JSON object, without its braces. */
    public JsonWriter write(JsonWriter json) {
        return json.raw("\"succeeded\":")
                .number(succeeded)
                .raw(",\"failed\":")
                .number(failed)
                .raw(",\"elements\":")
                .number(elements)
                .raw(",\"busyMillis\":")
                .number(busyMillis)
                .raw(",\"cpuMillis\":")
                .number(cpuMillis)
                .raw(",\"residentBytes\":")
                .number(residentBytes);
    }
}
