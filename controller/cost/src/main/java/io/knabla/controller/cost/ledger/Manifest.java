package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import io.knabla.storage.ObjectKey;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names the current Parquet files of an hour; replaced as a whole, and only by who knows its etag.
 *
 * @param schema version of the program that wrote it
 * @param version incremented at every replacement, so that no two have the same bytes
 * @param files without the kinds that have no rows
 * @param segments whose rows of this hour are in the files, as far as they may still exist
 */
record Manifest(int schema, long version, Map<RecordKind, ParquetFile> files, Set<SegmentName> segments) {
    static final int SCHEMA = 1;

    static final Manifest EMPTY = new Manifest(SCHEMA, 0, Map.of(), Set.of());

    Manifest {
        files = Map.copyOf(files);
        segments = Set.copyOf(segments);
    }

    /**
     * A Parquet file as it was uploaded.
     *
     * @param sha256 of its bytes, hexadecimal
     * @param lastEnd end of the row that ends last; empty if one lasts
     * @param sums of minutes of requests, the file of {@link ParquetEngine#sum their sums}; others have none, nor have
     *     those that an older program wrote
     */
    record ParquetFile(
            ObjectKey key,
            long bytes,
            String sha256,
            long rows,
            Optional<Instant> lastEnd,
            Optional<ParquetFile> sums) {
        ParquetFile with(ParquetFile newSums) {
            return new ParquetFile(key, bytes, sha256, rows, lastEnd, Optional.of(newSums));
        }

        /** The file, and that of its sums. */
        Stream<ParquetFile> all() {
            return Stream.concat(Stream.of(this), sums.stream());
        }
    }

    Manifest next(Map<RecordKind, ParquetFile> newFiles, Set<SegmentName> newSegments) {
        return new Manifest(SCHEMA, version + 1, newFiles, newSegments);
    }

    /** Returns whether all of its rows ended before this time; true if there are none. */
    boolean endedBefore(Instant time) {
        return files.values().stream()
                .allMatch(file -> file.lastEnd().map(time::isAfter).orElse(false));
    }

    /** Keys of its files. */
    Set<ObjectKey> keys() {
        return files.values().stream()
                .flatMap(ParquetFile::all)
                .map(ParquetFile::key)
                .collect(Collectors.toUnmodifiableSet());
    }
}
