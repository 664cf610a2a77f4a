package io.knabla.controller.local.gateway;

import io.knabla.runtime.http.LatencyBuckets;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Metrics of one version's requests. Labels are function, namespace, version and status class, never client input; all
 * are removed with the version.
 */
final class VersionMeters {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Timer[] requests = new Timer[6];
    private final Counter coldStarts;
    private final Counter retries;

    VersionMeters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        coldStarts = counter("knabla.cold.starts", "Requests that waited for a replica to start");
        retries = counter("knabla.retries", "Requests sent again because a replica died");
    }

    void finished(int status, long nanos) {
        int kind = status / 100;
        Timer timer = requests[kind];
        if (timer == null) {
            // A race is harmless: the registry returns the same timer.
            timer = Timer.builder("knabla.requests")
                    .description("Requests from arrival to last byte")
                    .tags(tags)
                    .tag("status", kind + "xx")
                    .serviceLevelObjectives(LatencyBuckets.BOUNDS.toArray(Duration[]::new))
                    .register(registry);
            requests[kind] = timer;
        }
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    void waitedForStart() {
        coldStarts.increment();
    }

    void retried() {
        retries.increment();
    }

    void remove() {
        registry.remove(coldStarts);
        registry.remove(retries);
        for (Timer timer : requests) {
            if (timer != null) {
                registry.remove(timer);
            }
        }
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }
}
