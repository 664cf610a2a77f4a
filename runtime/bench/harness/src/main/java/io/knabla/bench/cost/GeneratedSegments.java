package io.knabla.bench.cost;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.SegmentContents;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import io.knabla.controller.cost.ledger.segment.SegmentReader;
import io.knabla.controller.cost.ledger.segment.Segments;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Gives the compactor generated usage: one segment at a time, with the rows of one hour. */
final class GeneratedSegments implements Segments {
    /** A ledger whose segments are all merged. */
    static final class None implements SegmentReader {
        @Override
        public Listing list() {
            return new Listing(List.of(), List.of());
        }

        @Override
        public Optional<SegmentContents> read(SegmentName name) {
            return Optional.empty();
        }
    }

    private SegmentName name;
    private List<UsageRecord> rows = List.of();

    void put(int hour, List<UsageRecord> ofHour) {
        name = new SegmentName(UsageFleet.START.plus(Duration.ofHours(hour)), "generated", hour);
        rows = ofHour;
    }

    @Override
    public Listing list() {
        return new Listing(List.of(name), List.of());
    }

    @Override
    public List<SegmentName> ended() {
        return List.of(name);
    }

    @Override
    public Optional<SegmentContents> read(SegmentName asked) {
        return Optional.of(new SegmentContents(rows, List.of()));
    }

    @Override
    public void delete(SegmentName merged) {
        // The next hour replaces it.
    }

    @Override
    public void append(byte[] frames) {
        throw new UnsupportedOperationException("rows are put");
    }

    @Override
    public void close() {
        // Holds nothing open.
    }
}
