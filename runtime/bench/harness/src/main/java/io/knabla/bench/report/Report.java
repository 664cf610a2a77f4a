package io.knabla.bench.report;

import java.util.List;

/** Everything that one {@code bench NAME} found. */
public record Report(String bench, String host, List<Row> rows) {
    public Report {
        rows = List.copyOf(rows);
    }
}
