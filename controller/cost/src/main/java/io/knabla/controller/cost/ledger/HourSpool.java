package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.RowJson;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Rows of one hour that are to be merged, as local files of JSON lines, and the segments that they are from. */
final class HourSpool {
    private final Path folder;
    private final Hour hour;
    private final Map<RecordKind, Path> lines = new EnumMap<>(RecordKind.class);
    private final Set<SegmentName> segments = new TreeSet<>();

    HourSpool(Path folder, Hour hour) {
        this.folder = folder;
        this.hour = hour;
    }

    void add(SegmentName segment, List<UsageRecord> rows) throws IOException {
        for (var ofKind :
                rows.stream().collect(Collectors.groupingBy(UsageRecord::kind)).entrySet()) {
            append(file(ofKind.getKey()), ofKind.getValue());
        }
        segments.add(segment);
    }

    /** Has the rows of this kind merged, even if there are no new ones. */
    void require(RecordKind kind) throws IOException {
        append(file(kind), List.of());
    }

    private Path file(RecordKind kind) {
        return lines.computeIfAbsent(
                kind, any -> folder.resolve("%d-%s.jsonl".formatted(hour.start().getEpochSecond(), kind.folder())));
    }

    private static void append(Path file, List<UsageRecord> rows) throws IOException {
        try (OutputStream out = new BufferedOutputStream(
                Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND))) {
            for (UsageRecord row : rows) {
                out.write(RowJson.encode(row));
                out.write('\n');
            }
        }
    }

    Hour hour() {
        return hour;
    }

    Map<RecordKind, Path> lines() {
        return lines;
    }

    Set<SegmentName> segments() {
        return segments;
    }
}
