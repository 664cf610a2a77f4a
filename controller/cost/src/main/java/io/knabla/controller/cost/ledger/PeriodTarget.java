package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.Manifest.ParquetFile;
import io.knabla.controller.cost.ledger.row.Kind;
import io.knabla.controller.cost.ledger.row.Row;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Takes what a period consists of: first the rows of segments, then files. */
interface PeriodTarget {
    /** Takes rows that a compactor may have merged meanwhile. */
    void add(SegmentName segment, List<Row> rows) throws IOException;

    /**
     * Takes the current file of an hour and a kind, in place of an earlier one; may be called by several threads.
     *
     * @return what is wrong with it
     */
    Optional<LedgerDamage> add(Hour hour, Kind kind, ParquetFile file) throws IOException;
}
