package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.row.Kind;
import io.knabla.controller.cost.ledger.row.Row;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Removes duplicates of records: keeps the row with the highest revision, in whatever order rows come. */
final class HighestRevisions {
    private record Key(Kind kind, String id) {}

    private final Map<Key, Row> rows = new HashMap<>();

    void add(Row row) {
        rows.merge(key(row), row, (held, other) -> other.revision() > held.revision() ? other : held);
    }

    boolean contains(Row row) {
        return rows.containsKey(key(row));
    }

    private static Key key(Row row) {
        return new Key(row.kind(), row.id());
    }

    Collection<Row> rows() {
        return rows.values();
    }
}
