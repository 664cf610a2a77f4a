package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.Manifest.ParquetFile;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Visits the usage of a period: first the records of segments, then the files. */
interface PeriodVisitor {
    /** Takes rows that a compactor may have merged meanwhile. */
    void add(SegmentName segment, List<UsageRecord> rows) throws IOException;

    /**
     * Takes the current file of an hour and a kind, in place of an earlier one; may be called by several threads.
     *
     * @return what is wrong with it
     */
    Optional<LedgerDamage> add(Hour hour, RecordKind kind, ParquetFile file) throws IOException;

    /** Whether the files of a day, which have sums in place of minutes, may stand for those of its hours. */
    boolean takesDays();

    /**
     * Takes the files of a day in place of all of its hours; may be called by several threads.
     *
     * @return whether they could be read; if not, none of them was taken
     */
    boolean add(Map<RecordKind, ParquetFile> ofDay) throws IOException;
}
