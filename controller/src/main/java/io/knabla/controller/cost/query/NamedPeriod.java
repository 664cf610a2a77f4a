package io.knabla.controller.cost.query;

import io.knabla.controller.usage.Interval;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;

/** A day or a month that people name by where it is from now, as in {@code last month}. */
enum NamedPeriod {
    TODAY,
    YESTERDAY,
    THIS_MONTH,
    LAST_MONTH;

    /** Words are separated by a space, as in English, or by {@code -}. */
    static Optional<NamedPeriod> find(String text) {
        return ConstantNames.find(values(), text.strip().replace(' ', '-'));
    }

    /** @param zone whose days and months are meant */
    Interval at(Instant now, ZoneId zone) {
        LocalDate today = now.atZone(zone).toLocalDate();
        LocalDate first = today.withDayOfMonth(1);
        return switch (this) {
            case TODAY -> between(today, today.plusDays(1), zone);
            case YESTERDAY -> between(today.minusDays(1), today, zone);
            case THIS_MONTH -> between(first, first.plusMonths(1), zone);
            case LAST_MONTH -> between(first.minusMonths(1), first, zone);
        };
    }

    private static Interval between(LocalDate first, LocalDate next, ZoneId zone) {
        return Interval.of(
                first.atStartOfDay(zone).toInstant(), next.atStartOfDay(zone).toInstant());
    }
}
