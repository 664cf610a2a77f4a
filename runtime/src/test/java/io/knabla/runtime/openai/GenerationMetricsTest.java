package io.knabla.runtime.openai;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.generation.LatencyObjectives;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the metrics of objectives. */
class GenerationMetricsTest {
    private static String metrics(LatencyObjectives objectives) {
        var text = new StringBuilder();
        new GenerationMetrics(text, "a=\"b\"").append(new FakeGenerator(Optional.empty(), objectives));
        return text.toString();
    }

    @Test
    void whatMetAndMissedItsObjectivesIsCounted() {
        var objectives = new LatencyObjectives(Optional.of(Duration.ofSeconds(1)), Optional.empty());
        assertThat(metrics(objectives).lines())
                .contains(
                        "knabla_objectives_met_total{a=\"b\"} 5",
                        "knabla_objectives_missed_total{a=\"b\",objective=\"ttft\"} 2",
                        "knabla_objectives_missed_total{a=\"b\",objective=\"tpot\"} 3",
                        "knabla_preemptions_total{a=\"b\"} 7")
                .noneMatch(line -> line.startsWith("knabla_time_to_first_token_seconds"));
    }

    @Test
    void withoutObjectivesNothingMeetsThem() {
        assertThat(metrics(LatencyObjectives.NONE))
                .contains("knabla_preemptions_total")
                .doesNotContain("objectives");
    }
}
