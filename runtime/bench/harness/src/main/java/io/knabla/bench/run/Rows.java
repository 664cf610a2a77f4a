package io.knabla.bench.run;

import io.knabla.bench.report.FailedRow;
import io.knabla.bench.report.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects the rows of one measurement; those that nobody asked for are dropped. */
public final class Rows {
    private final List<Row> measured = new ArrayList<>();
    private final List<FailedRow> failed = new ArrayList<>();
    private final Set<String> missing;

    Rows(Collection<String> wanted) {
        missing = new LinkedHashSet<>(wanted);
    }

    /** Whether the row was asked for and has no result yet. */
    public boolean wants(String name) {
        return missing.contains(name);
    }

    public void add(Row row) {
        if (missing.remove(row.title().name())) {
            measured.add(row);
        }
    }

    public void fail(String name, Throwable cause) {
        if (missing.remove(name)) {
            failed.add(FailedRow.of(name, cause));
        }
    }

    void failMissing(Throwable cause) {
        List.copyOf(missing).forEach(name -> fail(name, cause));
    }

    List<Row> measured() {
        return measured;
    }

    List<FailedRow> failed() {
        return failed;
    }
}
