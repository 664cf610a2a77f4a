package io.knabla.controller.cost.ledger;

import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A day of UTC and the manifests of its hours at one moment. Its own files are named by these, so what was made of
 * other manifests is not found.
 *
 * @param hours etags of the manifests
 */
record Day(Instant start, SortedMap<Hour, String> hours) {
    /** Prefix of the manifests and the files of all days. */
    static final String PREFIX = "usage/days/";

    private static final int VERSION_BYTES = 16;
    private static final int STEM_LENGTH = PREFIX.length() + "2026/11/23-".length() + 2 * VERSION_BYTES;
    private static final DateTimeFormatter PATH =
            DateTimeFormatter.ofPattern("uuuu/MM/dd").withZone(ZoneOffset.UTC);

    /** @param manifests of all hours */
    static List<Day> of(SortedMap<Hour, ObjectInfo> manifests) {
        Map<Instant, SortedMap<Hour, String>> days = new TreeMap<>();
        manifests.forEach((hour, manifest) -> days.computeIfAbsent(
                        hour.start().truncatedTo(ChronoUnit.DAYS), day -> new TreeMap<>())
                .put(hour, manifest.etag()));
        List<Day> all = new ArrayList<>();
        days.forEach((start, hours) -> all.add(new Day(start, hours)));
        return all;
    }

    /** Returns the {@link #stem} of the day and the manifests that an object of {@link #PREFIX} is of. */
    static String stemOf(ObjectKey key) {
        return key.path().substring(0, Math.min(STEM_LENGTH, key.path().length()));
    }

    Instant end() {
        return start.plus(Duration.ofDays(1));
    }

    /** Written once, after its files. */
    ObjectKey manifest() {
        return new ObjectKey(stem() + ".json");
    }

    /**
     * @param folder of a kind of records, or {@link Hour#REQUEST_SUMS}
     * @param id never used before
     */
    ObjectKey file(String folder, String id) {
        return new ObjectKey("%s-%s-%s.parquet".formatted(stem(), folder, id));
    }

    /** What the keys of its manifest and its files begin with, and of nothing that other manifests were merged to. */
    String stem() {
        return PREFIX + PATH.format(start) + '-' + version();
    }

    private String version() {
        String text = hours.entrySet().stream()
                .map(hour -> hour.getKey().start() + " " + hour.getValue() + '\n')
                .collect(Collectors.joining());
        MessageDigest sha256 = ParquetFiles.sha256();
        return HexFormat.of().formatHex(sha256.digest(text.getBytes(StandardCharsets.UTF_8)), 0, VERSION_BYTES);
    }
}
