package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Period;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The months, days or hours of a period, in order and without gaps; the first and the last are cut to the period. */
final class TimeBuckets {
    /** Ten years of hours: more rows than anyone reads, and few enough for memory. */
    static final int MAX = 87_672;

    private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("uuuu-MM");
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("uuuu-MM-dd");
    private static final DateTimeFormatter HOUR = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mmxxx");

    private final NavigableMap<Instant, Group> byStart = new TreeMap<>();

    private TimeBuckets() {}

    /** Part of a time within one bucket. */
    record Part(Group group, Interval time) {}

    static TimeBuckets months(Period period, ZoneId zone) {
        return of(period, zone, MONTH, TimeBuckets::startOfMonth, TimeBuckets::nextMonth);
    }

    static TimeBuckets days(Period period, ZoneId zone) {
        return of(period, zone, DAY, TimeBuckets::startOfDay, TimeBuckets::nextDay);
    }

    static TimeBuckets hours(Period period, ZoneId zone) {
        return of(period, zone, HOUR, time -> time.truncatedTo(ChronoUnit.HOURS), TimeBuckets::nextHour);
    }

    private static TimeBuckets of(
            Period period,
            ZoneId zone,
            DateTimeFormatter format,
            UnaryOperator<ZonedDateTime> startOf,
            UnaryOperator<ZonedDateTime> next) {
        TimeBuckets buckets = new TimeBuckets();
        ZonedDateTime start = startOf.apply(period.from().atZone(zone));
        while (start.toInstant().isBefore(period.until())) {
            ZonedDateTime end = next.apply(start);
            Interval whole = Interval.of(start.toInstant(), end.toInstant());
            String name = format.format(start);
            whole.within(period.from(), period.until()).ifPresent(part -> buckets.add(name, part));
            start = end;
        }
        return buckets;
    }

    private void add(String name, Interval part) {
        if (byStart.size() == MAX) {
            throw new IllegalArgumentException(
                    "the period has more than %d hours or days: choose a shorter period, or days in place of hours"
                            .formatted(MAX));
        }
        byStart.put(part.start(), Group.of(name, part));
    }

    private static ZonedDateTime startOfMonth(ZonedDateTime time) {
        return time.toLocalDate().withDayOfMonth(1).atStartOfDay(time.getZone());
    }

    private static ZonedDateTime nextMonth(ZonedDateTime start) {
        return start.toLocalDate().plusMonths(1).atStartOfDay(start.getZone());
    }

    private static ZonedDateTime startOfDay(ZonedDateTime time) {
        return time.toLocalDate().atStartOfDay(time.getZone());
    }

    private static ZonedDateTime nextDay(ZonedDateTime start) {
        return start.toLocalDate().plusDays(1).atStartOfDay(start.getZone());
    }

    private static ZonedDateTime nextHour(ZonedDateTime start) {
        ZonedDateTime later = start.plusHours(1);
        ZonedDateTime full = later.truncatedTo(ChronoUnit.HOURS);
        // Clocks that change by half an hour have hours that do not begin at minute 0.
        return full.isAfter(start) ? full : later;
    }

    Collection<Group> groups() {
        return byStart.values();
    }

    Group first() {
        return byStart.firstEntry().getValue();
    }

    /** Parts of a time that has an end, by bucket; none if it is outside of the period. */
    List<Part> parts(Interval time) {
        Instant end = time.end().orElseThrow();
        List<Part> parts = new ArrayList<>();
        Map.Entry<Instant, Group> next = byStart.floorEntry(time.start());
        next = next == null ? byStart.firstEntry() : next;
        while (next != null && next.getKey().isBefore(end)) {
            Group group = next.getValue();
            Interval bucket = group.time().orElseThrow();
            time.within(bucket.start(), bucket.end().orElseThrow()).ifPresent(part -> parts.add(new Part(group, part)));
            next = byStart.higherEntry(next.getKey());
        }
        return parts;
    }

    /** Seconds of a time by bucket. */
    Map<Group, BigDecimal> seconds(Interval time) {
        Map<Group, BigDecimal> seconds = new LinkedHashMap<>();
        parts(time).forEach(part -> seconds.put(part.group(), UsageIndex.seconds(part.time())));
        return seconds;
    }

    /** The bucket in which something ended: of two adjacent ones the earlier, as {@link Period#hasEndOf} has it. */
    Group endingAt(Instant end) {
        Map.Entry<Instant, Group> before = byStart.lowerEntry(end);
        return before == null ? first() : before.getValue();
    }

    /** Buckets that a time touches; the nearest one if it is outside of the period. */
    List<Group> touched(Interval time) {
        List<Group> touched = parts(time).stream().map(Part::group).toList();
        return touched.isEmpty() ? List.of(endingAt(time.end().orElseThrow())) : touched;
    }
}
