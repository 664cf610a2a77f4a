package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.Manifest.ParquetFile;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * Collects the files of a period in a folder, and merges rows of segments into those of their hours, as a compaction.
 * Of an hour whose requests are asked for as a whole, and of which no segment has any, it takes the file of sums: that
 * has a row for each quarter of an hour and version, in place of one for each minute and replica.
 */
final class PeriodFiles implements PeriodVisitor {
    private final ParquetFiles files;
    private final Path folder;
    private final Instant from;
    private final Instant until;
    private final Map<Hour, HourSpool> spools = new HashMap<>();
    private final Map<HourKind, Path> found = new ConcurrentHashMap<>();
    private final Queue<Map<RecordKind, Path>> days = new ConcurrentLinkedQueue<>();

    PeriodFiles(ParquetFiles files, Path folder, Instant from, Instant until) {
        this.files = files;
        this.folder = folder;
        this.from = from;
        this.until = until;
    }

    private record HourKind(Hour hour, RecordKind kind) {}

    @Override
    public void add(SegmentName segment, List<UsageRecord> rows) throws IOException {
        for (var ofHour : rows.stream()
                .collect(Collectors.groupingBy(row -> Hour.of(row.start())))
                .entrySet()) {
            spools.computeIfAbsent(ofHour.getKey(), hour -> new HourSpool(folder, hour))
                    .add(segment, ofHour.getValue());
        }
    }

    @Override
    public Optional<LedgerDamage> add(Hour hour, RecordKind kind, ParquetFile whole) throws IOException {
        ParquetFile file = isSummed(hour) ? whole.sums().orElse(whole) : whole;
        Path local = local(file);
        Optional<LedgerDamage> damage = files.place(file, local);
        if (damage.isEmpty()) {
            found.put(new HourKind(hour, kind), local);
        }
        return damage;
    }

    private Path local(ParquetFile file) {
        return folder.resolve(file.key().path().replace('/', '-'));
    }

    @Override
    public boolean takesDays() {
        return true;
    }

    @Override
    public boolean add(Map<RecordKind, ParquetFile> ofDay) throws IOException {
        Map<RecordKind, Path> placed = new EnumMap<>(RecordKind.class);
        for (Map.Entry<RecordKind, ParquetFile> file : ofDay.entrySet()) {
            Path local = local(file.getValue());
            if (files.place(file.getValue(), local).isPresent()) {
                return false;
            }
            placed.put(file.getKey(), local);
        }
        return days.add(placed);
    }

    private boolean isSummed(Hour hour) {
        HourSpool spool = spools.get(hour);
        boolean isMerged = spool == null || !spool.lines().containsKey(RecordKind.REQUESTS);
        return isMerged && !hour.start().isBefore(from) && !hour.end().isAfter(until);
    }

    boolean isEmpty() {
        return spools.isEmpty() && found.isEmpty() && days.stream().allMatch(Map::isEmpty);
    }

    /** Files in which each record is once. */
    Map<RecordKind, List<Path>> merged(ParquetEngine engine) throws IOException {
        for (HourSpool spool : spools.values()) {
            for (Map.Entry<RecordKind, Path> lines : spool.lines().entrySet()) {
                HourKind key = new HourKind(spool.hour(), lines.getKey());
                Path target = Path.of(lines.getValue() + ".parquet");
                engine.merge(key.kind(), lines.getValue(), Optional.ofNullable(found.get(key)), target);
                found.put(key, target);
            }
        }
        Map<RecordKind, List<Path>> all = new EnumMap<>(RecordKind.class);
        found.forEach((key, file) ->
                all.computeIfAbsent(key.kind(), kind -> new ArrayList<>()).add(file));
        days.forEach(day -> day.forEach((kind, file) ->
                all.computeIfAbsent(kind, any -> new ArrayList<>()).add(file)));
        return all;
    }
}
