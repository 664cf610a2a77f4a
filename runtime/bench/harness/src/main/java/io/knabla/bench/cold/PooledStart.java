package io.knabla.bench.cold;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.machine.Ports;
import io.knabla.bench.machine.ProcessUsage;
import io.knabla.bench.server.PooledServer;
import io.knabla.bench.wire.FirstAnswer;
import io.knabla.bench.wire.ServerTiming;
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

/** Assigns a unit to members of the pool, all at once; measures until the last has answered. */
public final class PooledStart implements StartScenario {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final PooledServer server;
    private final int count;
    private final SplittableRandom random;
    private final Duration poll;
    private List<ChildProcess> members = List.of();

    public PooledStart(PooledServer server, int count, SplittableRandom random) {
        this.server = server;
        this.count = count;
        this.random = random;
        this.poll = count == 1 ? Duration.ofNanos(500_000) : Duration.ofMillis(2);
    }

    @Override
    public String name() {
        return "pool member";
    }

    /** Before the measurement, as the pool is filled before a call. */
    @Override
    public void prepare() {
        members = PoolMemory.members(server, count);
    }

    @Override
    public StartMeasurement start() {
        try (ExecutorService callers = Executors.newFixedThreadPool(count)) {
            List<Integer> ports = members.stream().map(_ -> Ports.free(random)).toList();
            List<Double> cpu = members.stream()
                    .map(member -> ProcessUsage.treeCpuMillis(member.pid()))
                    .toList();
            long start = System.nanoTime();
            List<Future<StartMeasurement>> coming = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ChildProcess member = members.get(i);
                int port = ports.get(i);
                double before = cpu.get(i);
                coming.add(callers.submit(() -> measured(member, assign(member, port, start), before)));
            }
            List<StartMeasurement> all = new ArrayList<>();
            for (Future<StartMeasurement> one : coming) {
                all.add(one.get());
            }
            return joined(all);
        } catch (ExecutionException failure) {
            throw new IllegalStateException("a start from the pool failed", failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in a start from the pool", interrupted);
        } finally {
            members.forEach(ChildProcess::close);
        }
    }

    private FirstAnswer.Times assign(ChildProcess member, int port, long start) {
        var call = server.call(port);
        member.send(server.assignment(port));
        return FirstAnswer.await(call, start, new FirstAnswer.PollPolicy(poll, LIMIT, member::isAlive));
    }

    private StartMeasurement measured(ChildProcess member, FirstAnswer.Times times, double before) {
        ProcessUsage usage = ProcessUsage.of(member.pid());
        Map<String, Double> details = new LinkedHashMap<>();
        details.put("connect_ms", times.connectMillis());
        server.phases(member.output()).forEach((phase, took) -> details.put(phase + "_ms", took));
        details.putAll(ServerTiming.phases(times.answer()));
        details.put("cpu_ms", usage.cpuMillis() - before);
        details.put("rss_peak_mb", usage.peakRssMb());
        details.put("pss_mb", usage.pssMb());
        return new StartMeasurement(times.answerMillis(), usage.cpuMillis() - before, details);
    }

    private static StartMeasurement joined(List<StartMeasurement> all) {
        if (all.size() == 1) {
            return all.getFirst();
        }
        Map<String, Double> means = new LinkedHashMap<>();
        for (StartMeasurement one : all) {
            one.details().forEach((name, value) -> means.merge("each_" + name, value / all.size(), Double::sum));
        }
        return new StartMeasurement(
                all.stream().mapToDouble(StartMeasurement::millis).max().orElseThrow(),
                all.stream().mapToDouble(StartMeasurement::cpuMillis).sum(),
                means);
    }
}
