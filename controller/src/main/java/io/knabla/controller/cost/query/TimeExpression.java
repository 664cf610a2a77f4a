package io.knabla.controller.cost.query;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses a time as people write it: {@code now}, the start of a {@link NamedPeriod}, {@code 7d} or {@code -24h} ago, a
 * date, a time of the zone's clocks, or RFC 3339.
 */
final class TimeExpression {
    private static final Pattern AGO = Pattern.compile("-?(\\d{1,5})([mhdw])");
    private static final Instant FIRST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-01-01T00:00:00Z");
    private static final String FORMS =
            "write now, today, yesterday, 'this month', 'last month', -24h, 7d, a date such as 2026-11-23, or a time such"
                    + " as 2026-11-23T08:00:00+01:00";

    private final Instant now;
    private final ZoneId zone;

    /** @param zone of dates, and of times without an offset */
    TimeExpression(Instant now, ZoneId zone) {
        this.now = now;
        this.zone = zone;
    }

    /** @throws IllegalArgumentException that says what was found and what is allowed */
    Instant parse(String text) {
        Instant time;
        try {
            time = read(text);
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException("'%s' is no time; %s".formatted(text, FORMS), malformed);
        }
        if (time.isBefore(FIRST) || !time.isBefore(LAST)) {
            throw new IllegalArgumentException("'%s' is outside of the years 1970 to 9998".formatted(text));
        }
        return time;
    }

    private Instant read(String text) {
        Matcher ago = AGO.matcher(text);
        if (ago.matches()) {
            return ago(Integer.parseInt(ago.group(1)), ago.group(2));
        }
        if (text.equals("now")) {
            return now;
        }
        return NamedPeriod.find(text).map(named -> named.at(now, zone).start()).orElseGet(() -> dateOrTime(text));
    }

    private Instant dateOrTime(String text) {
        return text.indexOf('T') < 0 ? LocalDate.parse(text).atStartOfDay(zone).toInstant() : time(text);
    }

    /** Days and weeks are those of the zone's calendar, so they may have an hour more or less. */
    private Instant ago(int count, String unit) {
        ZonedDateTime here = now.atZone(zone);
        return switch (unit) {
            case "m" -> here.minusMinutes(count).toInstant();
            case "h" -> here.minusHours(count).toInstant();
            case "d" -> here.minus(Period.ofDays(count)).toInstant();
            default -> here.minus(Period.ofWeeks(count)).toInstant();
        };
    }

    private Instant time(String text) {
        if (text.matches(".*(Z|z|[+-]\\d\\d:?\\d\\d)")) {
            return OffsetDateTime.parse(text).toInstant();
        }
        LocalDateTime local = LocalDateTime.parse(text);
        int offsets = zone.getRules().getValidOffsets(local).size();
        if (offsets != 1) {
            throw new IllegalArgumentException("'%s' %s in %s, where the clocks change; add the offset, such as +01:00"
                    .formatted(text, offsets == 0 ? "does not exist" : "exists twice", zone));
        }
        return local.atZone(zone).toInstant();
    }
}
