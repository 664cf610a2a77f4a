package io.knabla.bench.cold;

import io.knabla.bench.machine.ProcessUsage;
import io.knabla.bench.server.RunningServer;
import io.knabla.bench.server.Server;
import io.knabla.bench.wire.ServerTiming;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Cold start of one server, from exec to its first correct answer. */
record ServerStart(Server server, RandomGenerator random) implements StartScenario {
    private static final Duration POLL = Duration.ofNanos(500_000);

    @Override
    public String name() {
        return server.name();
    }

    @Override
    public StartMeasurement start() {
        try (RunningServer running = RunningServer.start(server, random, POLL)) {
            return measured(running, running.times().answerMillis());
        }
    }

    static StartMeasurement measured(RunningServer running, double millis) {
        ProcessUsage usage = ProcessUsage.of(running.child().pid());
        Map<String, Double> details = new LinkedHashMap<>();
        details.put("connect_ms", running.times().connectMillis());
        running.server().phases(running.child().output()).forEach((phase, took) -> details.put(phase + "_ms", took));
        details.putAll(ServerTiming.phases(running.times().answer()));
        details.put("answered_ms", running.times().answerMillis());
        details.put("cpu_ms", usage.cpuMillis());
        details.put("rss_peak_mb", usage.peakRssMb());
        details.put("pss_mb", usage.pssMb());
        return new StartMeasurement(millis, usage.cpuMillis(), details);
    }
}
