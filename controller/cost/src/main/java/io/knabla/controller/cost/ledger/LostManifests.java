package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/**
 * Finds the hours of usage whose Parquet files are there and whose manifest is gone. A merge that has not come to its
 * manifest leaves files like these, but also the segments that it merges.
 */
final class LostManifests {
    private static final Duration BY_DAYS = Duration.ofDays(31);
    private static final Duration BY_MONTHS = Duration.ofDays(1000);

    private final ObjectStore store;

    LostManifests(ObjectStore store) {
        this.store = store;
    }

    /**
     * Returns the damage of the hours that start in a period.
     *
     * @param isKnown whether an hour has a manifest, or rows in segments
     */
    List<LedgerDamage> find(Instant from, Instant until, Predicate<Hour> isKnown) {
        Map<Hour, Integer> files = new TreeMap<>();
        Stream<Listed> lists =
                Hour.files().flatMap(folder -> paths(from, until).stream().map(path -> new Listed(folder, path)));
        lists.gather(Gatherers.mapConcurrent(UsageQuery.MAX_CONCURRENT, this::hours))
                .flatMap(List::stream)
                .filter(hour -> !hour.start().isBefore(from) && hour.start().isBefore(until))
                .filter(hour -> !isKnown.test(hour))
                .forEach(hour -> files.merge(hour, 1, Integer::sum));
        return files.entrySet().stream()
                .filter(hour -> store.stat(hour.getKey().manifest()).isEmpty())
                .map(hour -> damage(hour.getKey(), hour.getValue()))
                .toList();
    }

    /**
     * @param folder prefix of the files of a kind
     * @param path what follows it in the files that are listed
     */
    private record Listed(String folder, String path) {}

    private List<Hour> hours(Listed listed) {
        try (Stream<ObjectInfo> objects = store.list(listed.folder() + listed.path())) {
            return objects.map(ObjectInfo::key)
                    .flatMap(key -> Hour.ofFile(listed.folder(), key).stream())
                    .toList();
        }
    }

    /** A listing takes a request for every thousand files in a store, and reads every folder on a disk. */
    private static Set<String> paths(Instant from, Instant until) {
        Duration length = Duration.between(from, until);
        if (length.compareTo(BY_MONTHS) > 0) {
            return Set.of("");
        }
        String form = length.compareTo(BY_DAYS) > 0 ? "uuuu/MM/" : "uuuu/MM/dd/";
        DateTimeFormatter path = DateTimeFormatter.ofPattern(form).withZone(ZoneOffset.UTC);
        Set<String> paths = new TreeSet<>();
        for (Instant day = from; day.isBefore(until); day = day.plus(Duration.ofDays(1))) {
            paths.add(path.format(day));
        }
        paths.add(path.format(until.minusNanos(1)));
        return paths;
    }

    private static LedgerDamage damage(Hour hour, int files) {
        ObjectKey manifest = hour.manifest();
        return new LedgerDamage(
                manifest.path(),
                LedgerDamage.Type.MISSING,
                "it is gone, and so the rows of its %d files are not read; the files are kept".formatted(files));
    }
}
