package io.knabla.bench.run;

import io.knabla.bench.report.FailedRow;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Report;
import io.knabla.bench.report.Row;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Measures the rows that were asked for. One that fails is reported as such, and the next is measured. */
public final class BenchRun {
    private final Bench bench;
    private final Progress progress;

    public BenchRun(Bench bench, Progress progress) {
        this.bench = bench;
        this.progress = progress;
    }

    /** Names of all rows, in the order of the report. */
    public List<String> rows() {
        return bench.measurements().stream()
                .map(Measurement::rows)
                .flatMap(List::stream)
                .toList();
    }

    /** @param asked names of rows; empty for all */
    public Report run(String name, String host, Set<String> asked) {
        List<Row> measured = new ArrayList<>();
        List<FailedRow> failed = new ArrayList<>();
        for (Measurement measurement : bench.measurements()) {
            Rows rows = new Rows(wanted(measurement, asked).toList());
            if (wanted(measurement, asked).findAny().isPresent()) {
                run(measurement, rows);
            }
            measured.addAll(rows.measured());
            failed.addAll(rows.failed());
        }
        return new Report(name, host, measured, failed);
    }

    private static Stream<String> wanted(Measurement measurement, Set<String> asked) {
        return measurement.rows().stream().filter(row -> asked.isEmpty() || asked.contains(row));
    }

    private void run(Measurement measurement, Rows rows) {
        PrintStream answer = System.out;
        // Standard output is for the report alone; what is used to measure, such as an installer, prints too.
        System.setOut(System.err);
        try {
            measurement.work().run(rows);
            rows.failMissing(new IllegalStateException("the measurement ended without this row"));
        } catch (Exception failure) {
            rows.failMissing(failure);
            if (System.getenv("KNABLA_TRACE") != null) {
                failure.printStackTrace();
            }
        } finally {
            System.setOut(answer);
        }
        rows.failed().forEach(row -> progress.report("%s failed: %s".formatted(row.name(), row.reason())));
    }
}
