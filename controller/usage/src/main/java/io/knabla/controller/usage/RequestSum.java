package io.knabla.controller.usage;

import java.time.Instant;

/** Sum of {@link RequestMinute}s of a period. Sums of one kind hold each minute once. */
public sealed interface RequestSum {
    Work work();

    /** What minutes are summed by. */
    enum By {
        VERSION,
        QUARTER_HOUR
    }

    /** What the replicas of a version did. */
    record OfVersion(String namespace, String function, int version, Work work) implements RequestSum {}

    /**
     * What all replicas did in a quarter of an hour, which no zone's clocks divide.
     *
     * @param start minute 0, 15, 30 or 45 of an hour of UTC
     */
    record OfQuarterHour(Instant start, Work work) implements RequestSum {}
}
