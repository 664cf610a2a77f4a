package io.knabla.runtime.modes;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.usage.Counters;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageReporterTest {
    private static final ReplicaTotals TOTALS = new ReplicaTotals(7, 1, 4096, 350, 1200, 90_000_000);

    @TempDir
    Path folder;

    @Test
    void writesTheTotalsAsTerminationMessage() throws Exception {
        Path log = Files.createFile(folder.resolve("termination-log"));
        new UsageReporter(() -> TOTALS, true, log).reportLast();
        assertThat(log).hasContent("""
                        {"succeeded":7,"failed":1,"elements":4096,"busyMillis":350,"cpuMillis":1200,"residentBytes":90000000}""");
    }

    @Test
    void countersAreInTheMessage() throws Exception {
        Path log = Files.createFile(folder.resolve("termination-log"));
        var counters = new Counters(Map.of("toy_tokens", 42L));
        new UsageReporter(() -> new ReplicaTotals(7, 1, 4096, 350, 1200, 90_000_000, counters), true, log).reportLast();
        assertThat(log).content().endsWith(",\"residentBytes\":90000000,\"counters\":{\"toy_tokens\":42}}\n");
    }

    /** Kubernetes keeps the end of the log only where nothing else was written. */
    @Test
    void aReplicaThatFailsWritesNoTerminationMessage() throws Exception {
        Path log = Files.createFile(folder.resolve("termination-log"));
        new UsageReporter(() -> TOTALS, true, log).reportLastInLog();
        assertThat(log).isEmptyFile();
    }

    @Test
    void createsNoTerminationMessageOutsideOfAPod() {
        Path log = folder.resolve("termination-log");
        new UsageReporter(() -> TOTALS, true, log).reportLast();
        assertThat(log).doesNotExist();
    }
}
