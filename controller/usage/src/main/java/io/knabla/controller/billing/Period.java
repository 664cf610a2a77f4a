package io.knabla.controller.billing;

import io.knabla.controller.usage.Interval;
import java.time.Instant;
import java.util.Optional;

/**
 * The time that a report is about.
 *
 * @param from inclusive
 * @param until exclusive, after {@code from}
 * @param readAt when the usage was read: what still ran then is counted until then, never into the future
 */
public record Period(Instant from, Instant until, Instant readAt) {
    public Period {
        if (!from.isBefore(until)) {
            throw new IllegalArgumentException(
                    "a report's period must end after it begins, but it goes from %s until %s".formatted(from, until));
        }
    }

    /** A period that was over when the usage was read. */
    public static Period past(Instant from, Instant until) {
        return new Period(from, until, until);
    }

    /** The same time with the end of what still runs set. */
    public Interval settled(Interval time) {
        Instant end = time.end().orElseGet(() -> readAt.isAfter(time.start()) ? readAt : time.start());
        return Interval.of(time.start(), end);
    }

    /** The part of a time within this period. */
    public Optional<Interval> part(Interval time) {
        return settled(time).within(from, until);
    }

    /** That time, or the begin of this period if that is later. */
    public Instant laterOf(Instant time) {
        return time.isAfter(from) ? time : from;
    }

    /** The part of this period that was over when the usage was read; empty if there is none. */
    public Optional<Interval> over() {
        return Interval.of(from, until).within(from, readAt.isBefore(until) ? readAt : until);
    }

    /** Whether this time ended within {@code (from, until]}. An end belongs to one of two adjacent periods only. */
    public boolean hasEndOf(Interval time) {
        return time.end()
                .filter(end -> end.isAfter(from) && !end.isAfter(until))
                .isPresent();
    }
}
