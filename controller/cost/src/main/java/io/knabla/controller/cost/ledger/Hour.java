package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.storage.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** An hour of UTC; records that start in it are stored under it. */
record Hour(Instant start) implements Comparable<Hour> {
    /** Folder of the sums of requests. */
    static final String REQUEST_SUMS = "request-sums";

    private static final String MANIFESTS = "usage/manifests/";
    private static final String JSON = ".json";
    private static final int PATH_LENGTH = "2026/11/23/05".length();
    private static final DateTimeFormatter PATH =
            DateTimeFormatter.ofPattern("uuuu/MM/dd/HH").withResolverStyle(ResolverStyle.STRICT);

    Hour {
        start = start.truncatedTo(ChronoUnit.HOURS);
    }

    static Hour of(Instant time) {
        return new Hour(time);
    }

    static String manifests() {
        return MANIFESTS;
    }

    /** Prefixes of all Parquet files. */
    static Stream<String> files() {
        return Stream.concat(Arrays.stream(RecordKind.values()).map(RecordKind::folder), Stream.of(REQUEST_SUMS))
                .map(Hour::prefix);
    }

    private static String prefix(String folder) {
        return "usage/" + folder + '/';
    }

    static Optional<Hour> ofManifest(ObjectKey key) {
        String path = key.path();
        boolean isOne = path.startsWith(MANIFESTS)
                && path.endsWith(JSON)
                && path.length() == MANIFESTS.length() + PATH_LENGTH + JSON.length();
        return isOne ? parse(path.substring(MANIFESTS.length(), MANIFESTS.length() + PATH_LENGTH)) : Optional.empty();
    }

    /** Returns the hour of a Parquet file; empty if the key is none of a file with this prefix. */
    static Optional<Hour> ofFile(String prefix, ObjectKey key) {
        String path = key.path();
        int from = prefix.length();
        return path.startsWith(prefix) && path.endsWith(".parquet") && path.length() > from + PATH_LENGTH
                ? parse(path.substring(from, from + PATH_LENGTH))
                : Optional.empty();
    }

    private static Optional<Hour> parse(String path) {
        try {
            return Optional.of(new Hour(LocalDateTime.parse(path, PATH).toInstant(ZoneOffset.UTC)));
        } catch (DateTimeParseException none) {
            return Optional.empty();
        }
    }

    Instant end() {
        return start.plus(Duration.ofHours(1));
    }

    ObjectKey manifest() {
        return new ObjectKey(MANIFESTS + path() + JSON);
    }

    /**
     * @param folder of a kind of records, or {@link #REQUEST_SUMS}
     * @param id never used before
     */
    ObjectKey file(String folder, String id) {
        return new ObjectKey(prefix(folder) + path() + '-' + id + ".parquet");
    }

    /**
     * Prefix of its files of a kind.
     *
     * @param folder of a kind of records, or {@link #REQUEST_SUMS}
     */
    String files(String folder) {
        return prefix(folder) + path() + '-';
    }

    private String path() {
        return PATH.format(start.atOffset(ZoneOffset.UTC));
    }

    @Override
    public int compareTo(Hour other) {
        return start.compareTo(other.start);
    }
}
