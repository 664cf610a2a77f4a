package io.knabla.controller.cost.usage;

/**
 * What a replica did.
 *
 * @param succeeded requests answered
 * @param failed requests answered with an error of the server
 * @param retried requests sent to another replica after this one
 * @param elements tensor elements of the answered requests, inputs and outputs
 * @param busyMillis sum of the requests' durations
 */
public record Work(long succeeded, long failed, long retried, long elements, long busyMillis) {
    public static final Work NONE = new Work(0, 0, 0, 0, 0);

    public Work plus(Work other) {
        return new Work(
                succeeded + other.succeeded,
                failed + other.failed,
                retried + other.retried,
                elements + other.elements,
                busyMillis + other.busyMillis);
    }

    public long requests() {
        return succeeded + failed;
    }
}
