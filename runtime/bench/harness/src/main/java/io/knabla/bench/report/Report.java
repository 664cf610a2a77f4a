package io.knabla.bench.report;

import java.util.List;

/** Results of one {@code bench NAME}. */
public record Report(String bench, String host, List<Row> rows) {
    public Report {
        rows = List.copyOf(rows);
    }
}
