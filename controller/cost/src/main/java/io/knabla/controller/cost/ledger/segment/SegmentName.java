package io.knabla.controller.cost.ledger.segment;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Name of a segment, such as {@code 2026112305-c3f1-00000007}; never used twice, because a manifest that names it says
 * that its rows are merged.
 *
 * @param hour in which it was written
 * @param writer {@code [a-z0-9]{1,40}}, unique for every opening of a writer
 * @param sequence number of the segment among those of its writer
 */
public record SegmentName(Instant hour, String writer, int sequence) implements Comparable<SegmentName> {
    private static final Pattern FORM = Pattern.compile("(\\d{10})-([a-z0-9]{1,40})-(\\d{8,9})");
    private static final Pattern WRITER = Pattern.compile("[a-z0-9]{1,40}");
    private static final DateTimeFormatter HOUR =
            DateTimeFormatter.ofPattern("uuuuMMddHH").withResolverStyle(ResolverStyle.STRICT);

    public SegmentName {
        hour = hour.truncatedTo(ChronoUnit.HOURS);
        if (!WRITER.matcher(writer).matches()) {
            throw new IllegalArgumentException(
                    "a writer's name has 1 to 40 of a-z and 0-9, but this one is '%s'".formatted(writer));
        }
    }

    /** Returns the name that this text writes; empty if it writes none. */
    public static Optional<SegmentName> parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        try {
            Instant hour = LocalDateTime.parse(parts.group(1), HOUR).toInstant(ZoneOffset.UTC);
            return Optional.of(new SegmentName(hour, parts.group(2), Integer.parseInt(parts.group(3))));
        } catch (DateTimeParseException noHour) {
            return Optional.empty();
        }
    }

    /** Returns whether its hour is over, so that no more is written to it. */
    boolean endedBy(Instant now) {
        return hour.isBefore(now.truncatedTo(ChronoUnit.HOURS));
    }

    @Override
    public int compareTo(SegmentName other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return "%s-%s-%08d".formatted(HOUR.format(hour.atOffset(ZoneOffset.UTC)), writer, sequence);
    }
}
