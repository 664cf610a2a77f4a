package io.knabla.bench.cold;

import io.knabla.bench.server.Platform;
import io.knabla.bench.wire.Call;
import io.knabla.bench.wire.FirstAnswer;
import io.knabla.bench.wire.HttpAnswer;
import io.knabla.bench.wire.ServerTiming;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Cold start of a function without replicas, by one request through the gateway. */
record PlatformStart(Platform platform) implements StartScenario {
    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public void prepare() {
        platform.awaitZero();
    }

    @Override
    public StartMeasurement start() {
        double cpu = platform.cpuMillis();
        long start = System.nanoTime();
        Call call = platform.json();
        var patience = new FirstAnswer.PollPolicy(Duration.ofMillis(1), Duration.ofSeconds(30), platform::isAlive);
        FirstAnswer.Times times = FirstAnswer.await(call, start, patience);
        double used = platform.cpuMillis() - cpu;
        requireCold(times.answer());
        Map<String, Double> details = new LinkedHashMap<>(ServerTiming.phases(times.answer()));
        details.put("cpu_ms", used);
        return new StartMeasurement(times.answerMillis(), used, details);
    }

    private static void requireCold(HttpAnswer answer) {
        String kind = answer.field("Knabla-Start").orElse("(no Knabla-Start field)");
        if (!kind.equals("cold")) {
            throw new IllegalStateException("the function was at zero, but the answer says that its start was " + kind);
        }
    }
}
