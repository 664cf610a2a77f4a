package io.knabla.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.bench.report.FailedRow;
import io.knabla.bench.report.Report;
import io.knabla.bench.report.Row;
import io.knabla.bench.statistics.PairedSamples;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Runs replace standard output of this JVM. */
@Isolated
class BenchRunTest {
    final List<String> ran = new ArrayList<>();
    final List<String> progress = new ArrayList<>();

    @Test
    void rowAfterFailedOneIsMeasured() {
        Report report = run(
                Set.of(),
                failing("first"),
                new Measurement(List.of("second"), rows -> {
                    throw new IllegalStateException("no answer", new IOException("reset"));
                }),
                measuring("third"));

        assertThat(names(report)).containsExactly("third");
        assertThat(report.failed())
                .containsExactly(
                        new FailedRow("first", "first is impossible"),
                        new FailedRow("second", "no answer; because: reset"));
        assertThat(progress).contains("first failed: first is impossible");
    }

    @Test
    void rowsBeforeFaultOfCommonMeasurementStay() {
        Report report = run(Set.of(), new Measurement(List.of("whole", "broken", "late"), rows -> {
            rows.add(row("whole"));
            rows.fail("broken", new IllegalStateException("its client ended"));
            throw new IllegalStateException("the server ended");
        }));

        assertThat(names(report)).containsExactly("whole");
        assertThat(report.failed())
                .containsExactly(
                        new FailedRow("broken", "its client ended"), new FailedRow("late", "the server ended"));
    }

    @Test
    void rowThatMeasurementLeavesOutHasFailed() {
        Report report = run(Set.of(), new Measurement(List.of("forgotten"), _ -> {}));

        assertThat(report.failed()).extracting(FailedRow::name).containsExactly("forgotten");
    }

    @Test
    void runsOnlyMeasurementsOfAskedRows() {
        Report report = run(Set.of("b"), measuring("a"), new Measurement(List.of("b", "c"), rows -> {
            assertThat(rows.wants("b")).isTrue();
            assertThat(rows.wants("c")).isFalse();
            rows.add(row("b"));
            rows.add(row("c"));
        }));

        assertThat(ran).isEmpty();
        assertThat(names(report)).containsExactly("b");
        assertThat(report.failed()).isEmpty();
    }

    @Test
    void measurementDoesNotPrintToStandardOutput() {
        PrintStream standard = System.out;
        List<PrintStream> during = new ArrayList<>();

        run(Set.of(), new Measurement(List.of("prints"), _ -> during.add(System.out)));

        assertThat(during).containsExactly(System.err);
        assertThat(System.out).isSameAs(standard);
    }

    private Report run(Set<String> asked, Measurement... measurements) {
        return new BenchRun(() -> List.of(measurements), progress::add).run("cold", "a machine", asked);
    }

    private Measurement measuring(String name) {
        return Measurement.of(name, () -> {
            ran.add(name);
            return row(name);
        });
    }

    private static Measurement failing(String name) {
        return Measurement.of(name, () -> {
            throw new IOException(name + " is impossible");
        });
    }

    private static Row row(String name) {
        var paired = new PairedSamples();
        paired.add(1, 2);
        return Row.of(new Row.Title(name, "ms", "at most 1"), paired, "reference", Map.of());
    }

    private static List<String> names(Report report) {
        return report.rows().stream().map(row -> row.title().name()).toList();
    }
}
