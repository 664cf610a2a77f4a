package io.knabla.controller.usage;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A span of time.
 *
 * @param end exclusive; empty while it lasts
 */
public record Interval(Instant start, Optional<Instant> end) {
    public Interval {
        if (end.isPresent() && start.isAfter(end.get())) {
            throw new IllegalArgumentException(
                    "an interval that starts at %s cannot end before, at %s".formatted(start, end.get()));
        }
    }

    public static Interval of(Instant start, Instant end) {
        return new Interval(start, Optional.of(end));
    }

    /** The part within {@code [from, until)}; empty if there is none. One that lasts is cut at {@code until}. */
    public Optional<Interval> within(Instant from, Instant until) {
        Instant first = start.isAfter(from) ? start : from;
        Instant last = end.filter(until::isAfter).orElse(until);
        return first.isBefore(last) ? Optional.of(of(first, last)) : Optional.empty();
    }

    /** Whether a time lies in it; the start does, the end does not. */
    public boolean contains(Instant time) {
        return !time.isBefore(start) && end.map(time::isBefore).orElse(true);
    }

    /** @param now end of one that lasts */
    public Duration duration(Instant now) {
        return Duration.between(start, end.orElse(now));
    }
}
