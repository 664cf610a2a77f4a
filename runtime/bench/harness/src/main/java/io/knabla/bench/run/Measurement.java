package io.knabla.bench.run;

import io.knabla.bench.report.Row;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Measures rows in common rounds.
 *
 * @param rows their names, in the order of the report
 */
public record Measurement(List<String> rows, Work work) {
    /** Takes the measurements. A row that it neither adds nor fails has failed, with what it throws as the cause. */
    @FunctionalInterface
    public interface Work {
        void run(Rows rows) throws Exception;
    }

    public Measurement {
        rows = List.copyOf(rows);
    }

    public static Measurement of(String row, Callable<Row> work) {
        return new Measurement(List.of(row), rows -> rows.add(work.call()));
    }
}
