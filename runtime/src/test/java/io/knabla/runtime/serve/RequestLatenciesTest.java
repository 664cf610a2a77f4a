package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestLatenciesTest {
    private final RequestLatencies latencies = new RequestLatencies();

    @Test
    void countsARequestInEveryBucketThatItDoesNotExceed() {
        latencies.record(Duration.ofMillis(1).toNanos());
        latencies.record(Duration.ofMillis(1).toNanos() + 1);
        latencies.record(Duration.ofSeconds(61).toNanos());

        assertThat(text())
                .hasSize(18)
                .startsWith(
                        "knabla_requests_seconds_bucket{model=\"m\",le=\"0.001\"} 1",
                        "knabla_requests_seconds_bucket{model=\"m\",le=\"0.0025\"} 2")
                .endsWith(
                        "knabla_requests_seconds_bucket{model=\"m\",le=\"60.0\"} 2",
                        "knabla_requests_seconds_bucket{model=\"m\",le=\"+Inf\"} 3",
                        "knabla_requests_seconds_sum{model=\"m\"} 61.002000001",
                        "knabla_requests_seconds_count{model=\"m\"} 3");
    }

    @Test
    void hasNoSeriesBeforeTheFirstRequest() {
        assertThat(text()).isEmpty();
    }

    private List<String> text() {
        var text = new StringBuilder();
        latencies.append(text, "model=\"m\"");
        return text.toString().lines().toList();
    }
}
