package io.knabla.bench.cold;

import io.knabla.bench.server.RunningServer;
import io.knabla.bench.server.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Starts several servers at once; measures until the last has answered. */
record BurstStart(Server server, int count, SplittableRandom random) implements StartScenario {
    // Longer than for one start: the polling of all clients must not take CPU from the starts.
    private static final Duration POLL = Duration.ofMillis(2);

    @Override
    public String name() {
        return server.name();
    }

    @Override
    public StartMeasurement start() {
        List<RunningServer> all = new ArrayList<>();
        try (ExecutorService starters = Executors.newFixedThreadPool(count)) {
            long start = System.nanoTime();
            List<Future<RunningServer>> coming = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                SplittableRandom ports = random.split();
                coming.add(starters.submit(() -> RunningServer.start(server, ports, POLL)));
            }
            for (Future<RunningServer> one : coming) {
                all.add(one.get());
            }
            return measured(all, start);
        } catch (ExecutionException failure) {
            throw new IllegalStateException("a start in the burst failed", failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in a burst", interrupted);
        } finally {
            all.forEach(RunningServer::close);
        }
    }

    private StartMeasurement measured(List<RunningServer> all, long start) {
        double last = 0;
        double cpu = 0;
        Map<String, Double> sums = new LinkedHashMap<>();
        for (RunningServer running : all) {
            StartMeasurement one = ServerStart.measured(running, running.times().answerMillis());
            long begun = running.child().startNanos() - start;
            last = Math.max(last, begun / 1e6 + one.millis());
            cpu += one.cpuMillis();
            one.details().forEach((name, value) -> sums.merge(name, value, Double::sum));
        }
        Map<String, Double> means = new LinkedHashMap<>();
        sums.forEach((name, sum) -> means.put("each_" + name, sum / all.size()));
        return new StartMeasurement(last, cpu, means);
    }
}
