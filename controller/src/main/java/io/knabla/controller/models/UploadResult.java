package io.knabla.controller.models;

import java.util.Optional;
import java.util.regex.Pattern;

/** Result of one upload request. */
public sealed interface UploadResult {
    /** @param created false if the model was already stored */
    record Complete(boolean created) implements UploadResult {}

    /** @param offset bytes received: where to resume */
    record Partial(long offset) implements UploadResult {}

    record Conflict(long offset, String sentence) implements UploadResult {}

    record TooLarge(String sentence) implements UploadResult {}

    record DiskFull(String sentence) implements UploadResult {}

    record Invalid(String sentence) implements UploadResult {}

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
