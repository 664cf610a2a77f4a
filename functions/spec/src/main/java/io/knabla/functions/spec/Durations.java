package io.knabla.functions.spec;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats durations as Go and Kubernetes write them: {@code 30s}, {@code 1h30m}, {@code 250ms}. */
public final class Durations {
    private static final Pattern FORM =
            Pattern.compile("(?:(\\d{1,6})h)?(?:(\\d{1,9})m(?!s))?(?:(\\d{1,9})s)?(?:(\\d{1,12})ms)?");

    /**
     * The same pattern for CEL, which has no lookahead and does not need it. Allows fewer minutes, as the API server
     * counts nanoseconds in 64 bits.
     */
    static final String STRUCTURAL = "([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?([0-9]{1,12}ms)?";

    private Durations() {}

    public static Optional<Duration> parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (text.isEmpty() || !parts.matches()) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofHours(number(parts.group(1)))
                .plusMinutes(number(parts.group(2)))
                .plusSeconds(number(parts.group(3)))
                .plusMillis(number(parts.group(4))));
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    /** The shortest text that {@link #parse} reads back, in milliseconds precision. */
    public static String format(Duration duration) {
        StringBuilder text = new StringBuilder();
        append(text, duration.toHours(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long amount, String unit) {
        if (amount != 0) {
            text.append(amount).append(unit);
        }
    }
}
