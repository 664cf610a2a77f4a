package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.row.Row;
import io.knabla.controller.cost.ledger.segment.SegmentContents;
import io.knabla.controller.cost.ledger.segment.Segments;
import java.util.List;

/** Takes usage rows and acknowledges them when they are durable. Thread-safe; callers share flushes. */
public final class Ledger {
    private final Segments segments;

    /** @param segments stay open when this is no more used */
    public Ledger(Segments segments) {
        this.segments = segments;
    }

    /**
     * Returns when the rows are durable; no rows, no write. To append a row again changes nothing.
     *
     * @throws IllegalArgumentException if a value is outside of its bounds; then none of the rows is written
     * @throws io.knabla.storage.StorageException if it is not known whether they are durable; append them again
     */
    public void append(List<Row> rows) {
        if (!rows.isEmpty()) {
            segments.append(SegmentContents.encode(rows));
        }
    }
}
