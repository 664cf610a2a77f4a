package io.knabla.bench.cold;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.machine.ProcessUsage;
import io.knabla.bench.report.Row;
import io.knabla.bench.server.PooledServer;
import io.knabla.bench.statistics.PairedSamples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Memory of pool members that wait, against the goal. Pages of files that they share with each other and with replicas
 * count for each in part (PSS), so a member that is alone on its machine has more.
 */
final class PoolMemory {
    private static final double GOAL_MB = 40;

    /** After this a member has given back what its start freed. */
    private static final Duration SETTLED = Duration.ofSeconds(13);

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Duration LOOK = Duration.ofMillis(5);

    private PoolMemory() {}

    static Row measure(PooledServer server, int count) {
        double alone = settledPss(server, 1).getFirst();
        var samples = new PairedSamples();
        settledPss(server, count).forEach(pss -> samples.add(pss, GOAL_MB));
        var title = new Row.Title("pooled-idle", "MB", "at most 1: PSS of each of %d idle members".formatted(count));
        return Row.of(title, samples, "40 MB", Map.of("alone_pss_mb", alone));
    }

    private static List<Double> settledPss(PooledServer server, int count) {
        List<ChildProcess> members = members(server, count);
        try {
            LockSupport.parkNanos(SETTLED.toNanos());
            return members.stream()
                    .map(member -> ProcessUsage.of(member.pid()).pssMb())
                    .toList();
        } finally {
            members.forEach(ChildProcess::close);
        }
    }

    /** Starts members and waits until all can be assigned. */
    static List<ChildProcess> members(PooledServer server, int count) {
        List<ChildProcess> members = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                members.add(ChildProcess.start(server.poolMember()));
            }
            members.forEach(PoolMemory::awaitReady);
            return members;
        } catch (RuntimeException failure) {
            members.forEach(ChildProcess::close);
            throw failure;
        }
    }

    private static void awaitReady(ChildProcess member) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!member.output().contains("\"pooled\"")) {
            if (System.nanoTime() > end || !member.isAlive()) {
                throw new IllegalStateException("a member of the pool did not start: " + member.outputTail());
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }
}
