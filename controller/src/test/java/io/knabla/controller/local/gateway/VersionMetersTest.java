package io.knabla.controller.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.http.LatencyBuckets;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class VersionMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final VersionMeters meters = new VersionMeters(registry, Tags.of("function", "f", "version", "1"));

    @Test
    void aVersionsLatenciesAreAHistogramByClassOfStatus() {
        meters.finished(200, TimeUnit.MILLISECONDS.toNanos(3));
        meters.finished(201, TimeUnit.MINUTES.toNanos(2));
        meters.finished(503, TimeUnit.MILLISECONDS.toNanos(3));

        var buckets = registry.get("knabla.requests")
                .tags("function", "f", "version", "1", "status", "2xx")
                .timer()
                .takeSnapshot()
                .histogramCounts();

        assertThat(buckets).hasSameSizeAs(LatencyBuckets.BOUNDS);
        assertThat(Arrays.stream(buckets).filter(bucket -> bucket.bucket(TimeUnit.MILLISECONDS) < 5))
                .allMatch(bucket -> bucket.count() == 0);
        assertThat(Arrays.stream(buckets).filter(bucket -> bucket.bucket(TimeUnit.MILLISECONDS) >= 5))
                .allMatch(bucket -> bucket.count() == 1);
    }

    @Test
    void theyGoWithTheVersion() {
        meters.finished(200, 1);
        meters.remove();

        assertThat(registry.getMeters()).isEmpty();
    }
}
