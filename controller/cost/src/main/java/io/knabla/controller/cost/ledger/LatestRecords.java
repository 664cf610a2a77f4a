package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Removes duplicates of records: keeps the row with the highest revision, in whatever order rows come. */
final class LatestRecords {
    private record Key(RecordKind kind, String id) {}

    private final Map<Key, UsageRecord> rows = new HashMap<>();

    void add(UsageRecord row) {
        rows.merge(key(row), row, (held, other) -> other.revision() > held.revision() ? other : held);
    }

    boolean contains(UsageRecord row) {
        return rows.containsKey(key(row));
    }

    private static Key key(UsageRecord row) {
        return new Key(row.kind(), row.id());
    }

    Collection<UsageRecord> rows() {
        return rows.values();
    }
}
