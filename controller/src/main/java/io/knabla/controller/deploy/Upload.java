package io.knabla.controller.deploy;

import java.util.Optional;
import java.util.regex.Pattern;

/** Result of one upload request. */
public sealed interface Upload {
    /** @param created false if the model was already stored */
    record Complete(boolean created) implements Upload {}

    /** @param offset bytes received: where to resume */
    record Partial(long offset) implements Upload {}

    record Conflict(long offset, String sentence) implements Upload {}

    record TooLarge(String sentence) implements Upload {}

    record DiskFull(String sentence) implements Upload {}

    record Invalid(String sentence) implements Upload {}

    /**
     * Byte range of the file in a request, from Content-Range: {@code bytes first-last/total}.
     *
     * @param last inclusive
     */
    record Range(long first, long last, long total) {
        private static final Pattern FORM = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

        public static Optional<Range> parse(String header) {
            var match = FORM.matcher(header);
            if (!match.matches()) {
                return Optional.empty();
            }
            var range = new Range(
                    Long.parseLong(match.group(1)), Long.parseLong(match.group(2)), Long.parseLong(match.group(3)));
            return range.first <= range.last && range.last < range.total ? Optional.of(range) : Optional.empty();
        }
    }
}
