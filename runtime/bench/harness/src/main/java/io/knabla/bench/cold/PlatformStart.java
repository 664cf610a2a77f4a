package io.knabla.bench.cold;

import io.knabla.bench.server.Platform;
import io.knabla.bench.wire.Call;
import io.knabla.bench.wire.FirstAnswer;
import io.knabla.bench.wire.HttpAnswer;
import io.knabla.bench.wire.ServerTiming;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Start of a function without replicas, by one request through the gateway.
 *
 * @param pool members of the platform's pool
 */
record PlatformStart(Platform platform, int pool) implements StartScenario {
    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public void prepare() {
        platform.awaitZero();
        platform.awaitPool(pool);
    }

    @Override
    public StartMeasurement start() {
        double cpu = platform.cpuMillis();
        long start = System.nanoTime();
        Call call = platform.json();
        var patience = new FirstAnswer.PollPolicy(Duration.ofMillis(1), Duration.ofSeconds(30), platform::isAlive);
        FirstAnswer.Times times = FirstAnswer.await(call, start, patience);
        double used = platform.cpuMillis() - cpu;
        requireKind(times.answer());
        Map<String, Double> details = new LinkedHashMap<>(ServerTiming.phases(times.answer()));
        details.put("cpu_ms", used);
        return new StartMeasurement(times.answerMillis(), used, details);
    }

    private void requireKind(HttpAnswer answer) {
        String kind = answer.field("Knabla-Start").orElse("(no Knabla-Start field)");
        String expected = pool > 0 ? "pooled" : "cold";
        if (!kind.equals(expected)) {
            throw new IllegalStateException(
                    "the function was at zero, so its start should be %s, but the answer says %s"
                            .formatted(expected, kind));
        }
    }
}
