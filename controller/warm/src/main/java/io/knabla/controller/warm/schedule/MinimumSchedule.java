package io.knabla.controller.warm.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Windows that begin at the ticks of cron expressions, in each of which a minimum of replicas runs. */
public record MinimumSchedule(List<Entry> entries) {
    /**
     * One recurring window.
     *
     * @param duration of elapsed time, so that a window over the change to summer time is no shorter
     */
    public record Entry(CronTimes begin, Duration duration, int minimum) {
        public Entry {
            if (duration.isNegative() || duration.isZero() || minimum < 0) {
                throw new IllegalArgumentException(
                        "a window needs a duration above 0 and a minimum from 0, not %s and %d"
                                .formatted(duration, minimum));
            }
        }

        /** Whether a tick lies less than the duration back. */
        boolean isOpen(Instant now) {
            return begin.after(now.minus(duration))
                    .filter(tick -> !tick.isAfter(now))
                    .isPresent();
        }
    }

    public MinimumSchedule {
        entries = List.copyOf(entries);
    }

    /** The largest minimum of the windows that are open; 0 if none is. */
    public int minimum(Instant now) {
        return entries.stream()
                .filter(entry -> entry.isOpen(now))
                .mapToInt(Entry::minimum)
                .max()
                .orElse(0);
    }

    /** The largest minimum of those that are open at any time of an interval: replicas take a lead to start. */
    public int minimumWithin(Instant now, Duration lead) {
        return entries.stream()
                .filter(entry -> entry.isOpen(now)
                        || entry.begin()
                                .after(now)
                                .filter(tick -> !tick.isAfter(now.plus(lead)))
                                .isPresent())
                .mapToInt(Entry::minimum)
                .max()
                .orElse(0);
    }
}
