package io.knabla.runtime.modes;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.serve.UsageTotals;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageReporterTest {
    private static final UsageTotals TOTALS = new UsageTotals(7, 1, 4096, 350, 1200, 90_000_000);

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
    void createsNoTerminationMessageOutsideOfAPod() {
        Path log = folder.resolve("termination-log");
        new UsageReporter(() -> TOTALS, true, log).reportLast();
        assertThat(log).doesNotExist();
    }
}
