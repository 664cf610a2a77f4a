package io.knabla.controller.cost.ledger.row;

import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Converts single values; those that a Parquet column could not hold are refused before they are written. */
final class ColumnValues {
    /** Digits after the point of {@code DECIMAL(18,6)}: a millionth of a CPU. */
    private static final int SCALE = 6;

    private static final int INTEGER_DIGITS = 12;
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private ColumnValues() {}

    static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    static String text(Instant time) {
        if (time.isBefore(Instant.EPOCH) || time.isAfter(LAST)) {
            throw new IllegalArgumentException(
                    "a time of usage lies between %s and %s, but this one is %s".formatted(Instant.EPOCH, LAST, time));
        }
        return time.truncatedTo(ChronoUnit.MICROS).toString();
    }

    static Instant instant(String text) {
        if (text == null) {
            throw new IllegalArgumentException("start_time is missing");
        }
        return Instant.parse(text);
    }

    static Interval interval(String start, String end) {
        return new Interval(instant(start), Optional.ofNullable(end).map(Instant::parse));
    }

    static String text(BigDecimal number) {
        BigDecimal rounded = number.setScale(SCALE, RoundingMode.HALF_UP);
        if (rounded.precision() - rounded.scale() > INTEGER_DIGITS) {
            throw new IllegalArgumentException("an amount has at most %d digits before the point, but this one is %s"
                    .formatted(INTEGER_DIGITS, number));
        }
        return canonical(rounded).toPlainString();
    }

    static BigDecimal orZero(BigDecimal number) {
        return number == null ? BigDecimal.ZERO : number;
    }

    static BigDecimal decimal(String text) {
        return text == null ? BigDecimal.ZERO : canonical(new BigDecimal(text));
    }

    /** Equal amounts are equal objects, whether read from JSON or from a column of fixed scale. */
    private static BigDecimal canonical(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    static long nanos(Duration phase) {
        if (phase.isNegative()) {
            throw new IllegalArgumentException("a phase of a start is not negative, but this one is " + phase);
        }
        return phase.toNanos();
    }

    static <E extends Enum<E>> E constant(String name, E missing) {
        return name == null ? missing : Enum.valueOf(missing.getDeclaringClass(), name);
    }
}
