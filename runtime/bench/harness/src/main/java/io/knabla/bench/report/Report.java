package io.knabla.bench.report;

import java.util.List;

/**
 * Results of one {@code bench NAME}.
 *
 * @param failed rows that were asked for and could not be measured
 */
public record Report(String bench, String host, List<Row> rows, List<FailedRow> failed) {
    public Report {
        rows = List.copyOf(rows);
        failed = List.copyOf(failed);
    }
}
