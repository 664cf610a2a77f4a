package io.knabla.controller.cost.budget;

import io.knabla.controller.usage.Interval;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;

/** How long a budget lasts until it starts anew. In UTC, as bills of cloud providers are. */
public enum BudgetPeriod {
    DAY,
    /** From Monday. */
    WEEK,
    MONTH;

    /** The day, week or month that a time lies in. */
    public Interval around(Instant time) {
        LocalDate day = time.atOffset(ZoneOffset.UTC).toLocalDate();
        return switch (this) {
            case DAY -> between(day, day.plusDays(1));
            case WEEK -> {
                LocalDate monday = day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
                yield between(monday, monday.plusWeeks(1));
            }
            case MONTH -> between(day.withDayOfMonth(1), day.withDayOfMonth(1).plusMonths(1));
        };
    }

    private static Interval between(LocalDate first, LocalDate next) {
        return Interval.of(
                first.atStartOfDay(ZoneOffset.UTC).toInstant(),
                next.atStartOfDay(ZoneOffset.UTC).toInstant());
    }
}
