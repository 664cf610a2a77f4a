package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.usage.Counters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private final Metrics metrics = new Metrics();

    private String text() {
        return new String(
                metrics.render(ReplicaSettings.of("m", "3", "", 1, Duration.ofSeconds(1)), null, Optional.empty()),
                StandardCharsets.UTF_8);
    }

    /** What a protocol has to do so that a number is recorded, summed and reported. */
    @Test
    void aNewCounterIsInTheTotalsAndInTheMetrics() {
        metrics.counted("toy_tokens", 40);
        metrics.counted("toy_tokens", 2);
        metrics.counted("other", 1);

        assertThat(metrics.usage().counters()).isEqualTo(new Counters(Map.of("other", 1L, "toy_tokens", 42L)));
        assertThat(text()).contains("""
                # TYPE knabla_work_total counter
                knabla_work_total{model="m",version="3",counter="other"} 1
                knabla_work_total{model="m",version="3",counter="toy_tokens"} 42
                """);
    }

    @Test
    void withoutCountersThereIsNoSeriesOfThem() {
        metrics.succeeded(1_000_000, 0, 0);

        assertThat(metrics.usage().counters()).isEqualTo(Counters.NONE);
        assertThat(text()).contains("nv_inference_request_success").doesNotContain(Counters.METRIC);
    }

    @Test
    void whatIsNoNameIsRefusedWhereItIsCounted() {
        assertThatThrownBy(() -> metrics.counted("toy-tokens", 1)).hasMessageContaining("'toy-tokens' is no name");
        assertThat(metrics.usage().counters()).isEqualTo(Counters.NONE);
    }
}
