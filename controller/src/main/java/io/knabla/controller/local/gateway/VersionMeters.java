package io.knabla.controller.local.gateway;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Metrics of one version's requests. Labels are function, namespace, version and status class, never client input; all
 * are removed with the version.
 */
final class VersionMeters {
    private static final List<String> PHASES = List.of("place", "fetch", "boot", "load");

    private final MeterRegistry registry;
    private final Tags tags;
    private final Timer[] requests = new Timer[6];
    private final Counter coldStarts;
    private final Counter retries;
    private final Set<Meter> others = new HashSet<>();

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

    synchronized void started(Map<String, Double> phases) {
        for (String phase : PHASES) {
            Double millis = phases.get(phase);
            if (millis != null) {
                Timer timer = Timer.builder("knabla.start.phase")
                        .description("Phases of a replica's start")
                        .tags(tags)
                        .tag("phase", phase)
                        .register(registry);
                others.add(timer);
                timer.record((long) (millis * 1e6), TimeUnit.NANOSECONDS);
            }
        }
    }

    synchronized void remove() {
        others.forEach(registry::remove);
        for (Timer timer : requests) {
            if (timer != null) {
                registry.remove(timer);
            }
        }
    }

    private Counter counter(String name, String description) {
        Counter counter =
                Counter.builder(name).description(description).tags(tags).register(registry);
        others.add(counter);
        return counter;
    }
}
