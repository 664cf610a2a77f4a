package io.knabla.storage.settings;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations. Separate from {@link SettingsReader}, so a replica does not load the pattern. */
final class DurationParser {
    static final String ALLOWED = "a whole number > 0 with its unit: 500ms, 30s, 2m";

    private static final Pattern DURATION = Pattern.compile("([1-9]\\d{0,8})(ms|s|m)");

    private DurationParser() {}

    /** Empty if the text is not {@link #ALLOWED}. */
    static Optional<Duration> parse(String text) {
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(parts.group(1));
        return Optional.of(
                switch (parts.group(2)) {
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    default -> Duration.ofMinutes(number);
                });
    }
}
