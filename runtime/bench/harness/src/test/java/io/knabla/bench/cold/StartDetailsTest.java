package io.knabla.bench.cold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartDetailsTest {
    @Test
    void reportsMediansAndRatios() {
        var rounds = new InterleavedStarts.Rounds(List.of(round(10, 100), round(20, 100), round(30, 100)), 1, 2);

        Map<String, Object> details = StartDetails.of(rounds);

        assertThat(details)
                .containsEntry("subject", Map.of("cpu_ms", 20.0))
                .containsEntry("reference_details", Map.of("cpu_ms", 100.0))
                .containsEntry("cpu_ratio", 0.2)
                .containsEntry("repeated_rounds", 1)
                .containsEntry("disturbed_rounds", 2)
                .doesNotContainKey("pss_ratio");
    }

    private static InterleavedStarts.Round round(double subject, double reference) {
        return new InterleavedStarts.Round(
                new StartMeasurement(1, subject, Map.of("cpu_ms", subject)),
                new StartMeasurement(1, reference, Map.of("cpu_ms", reference)));
    }
}
