package io.knabla.runtime.modes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class UtilizationReporterTest {
    private double now;

    @Test
    void reportsChangesAlone() {
        List<Integer> reports = new ArrayList<>();
        var reporter = new UtilizationReporter(() -> OptionalDouble.of(now), reports::add);
        for (double next : new double[] {0, 0.251, 0.252, 1.75, 1.75, 0}) {
            now = next;
            reporter.reportIfChanged();
        }
        assertThat(reports).containsExactly(25, 175, 0);
    }
}
