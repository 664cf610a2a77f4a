package io.knabla.bench.cost;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestMinute;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Usage of a made-up fleet, always the same: 200 functions, of which few get most of the requests; nodes of which two
 * thirds are spot and a fifth have a GPU; replicas that come and go, each with a row for every minute that it serves.
 */
final class UsageFleet {
    static final Instant START = Instant.parse("2026-06-01T00:00:00Z");
    static final String CPU_TYPE = "m7i.2xlarge";
    static final String GPU_TYPE = "g5.xlarge";
    static final String REGION = "us-east-1";
    private static final int FUNCTIONS = 200;
    private static final int NAMESPACES = 8;
    private static final int GPU_FUNCTIONS = 40;
    private static final int CPU_SLOTS = 8;
    private static final long GIB = 1L << 30;

    private final SplittableRandom random = new SplittableRandom(15);
    private final Shape shape;
    private final List<Host> hosts = new ArrayList<>();
    private final List<Running> running = new ArrayList<>();

    /**
     * Rows of an hour.
     *
     * @param nodes that start in it
     * @param replicas that start in it
     * @param meanMinutes life of a replica
     */
    record Shape(int nodes, int replicas, int meanMinutes) {}

    UsageFleet(Shape shape) {
        this.shape = shape;
    }

    private static final class Host {
        final NodeInterval node;
        final int slots;
        final List<Instant> ends = new ArrayList<>();

        Host(NodeInterval node, int slots) {
            this.node = node;
            this.slots = slots;
        }

        Instant end() {
            return node.time().end().orElseThrow();
        }

        boolean isFree(Instant at) {
            ends.removeIf(end -> !end.isAfter(at));
            return end().isAfter(at.plusSeconds(120)) && ends.size() < slots;
        }
    }

    private record Running(ReplicaInterval replica, Instant ready) {}

    /** Rows that start in the next hour. */
    List<UsageRecord> hour(int number) {
        Instant start = START.plus(Duration.ofHours(number));
        List<UsageRecord> rows = new ArrayList<>();
        hosts.removeIf(host -> !host.end().isAfter(start));
        for (int i = 0; i < shape.nodes(); i++) {
            Host host = host(start.plusMillis(3_600_000L * i / shape.nodes()), i);
            hosts.add(host);
            rows.add(new UsageRecord.Node(host.node, 1));
        }
        for (int i = 0; i < shape.replicas(); i++) {
            replica(start.plusMillis(3_600_000L * i / shape.replicas()), rows);
        }
        minutes(start, rows);
        return rows;
    }

    private String id() {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private Host host(Instant start, int number) {
        boolean gpu = number % 5 == 0;
        boolean spot = number % 3 != 0;
        Interval time = Interval.of(start, start.plusMillis(random.nextLong(7_200_000, 86_400_000)));
        NodeInterval node = new NodeInterval(
                id(),
                "ip-10-0-%d-%d".formatted(random.nextInt(256), random.nextInt(256)),
                gpu ? "gpu" : "cpu",
                spot ? CapacityType.SPOT : CapacityType.ON_DEMAND,
                gpu ? GPU_TYPE : CPU_TYPE,
                REGION,
                "use1-az" + (1 + random.nextInt(3)),
                gpu ? size(4, 16 * GIB, 1) : size(8, 32 * GIB, 0),
                time,
                spot && random.nextInt(4) == 0 ? NodeEnd.INTERRUPTED : NodeEnd.RELEASED);
        return new Host(node, gpu ? 1 : CPU_SLOTS);
    }

    private static Resources size(int vcpus, long bytes, int gpus) {
        return new Resources(BigDecimal.valueOf(vcpus), bytes, gpus);
    }

    private void replica(Instant start, List<UsageRecord> rows) {
        List<Host> free = hosts.stream()
                .filter(host -> !host.node.time().start().isAfter(start) && host.isFree(start))
                .toList();
        if (free.isEmpty()) {
            return;
        }
        Host host = free.get(random.nextInt(free.size()));
        Instant wanted = start.plusMillis(random.nextLong(60_000, shape.meanMinutes() * 120_000L));
        boolean cut = wanted.isAfter(host.end());
        Instant end = cut ? host.end() : wanted;
        host.ends.add(end);
        boolean gpu = host.slots == 1;
        // The square makes few functions frequent.
        double skewed = random.nextDouble() * random.nextDouble();
        int function =
                gpu ? (int) (skewed * GPU_FUNCTIONS) : GPU_FUNCTIONS + (int) (skewed * (FUNCTIONS - GPU_FUNCTIONS));
        Map<String, Duration> phases = Map.of(
                "place", Duration.ofNanos(random.nextLong(5_000_000)),
                "fetch", Duration.ofNanos(random.nextLong(4_000_000_000L)),
                "boot", Duration.ofNanos(random.nextLong(200_000_000, 400_000_000)),
                "load", Duration.ofNanos(random.nextLong(100_000_000, 2_000_000_000)));
        boolean interrupted = cut && host.node.end() == NodeEnd.INTERRUPTED;
        long busy = random.nextLong(Duration.between(start, end).toMillis());
        ReplicaInterval replica = new ReplicaInterval(
                id(),
                "team-" + function % NAMESPACES,
                "function-%03d".formatted(function),
                1 + function % 5,
                host.node.id(),
                gpu ? size(3, 12 * GIB, 1) : size(1, 3 * GIB, 0),
                new Resources(BigDecimal.valueOf(random.nextInt(100_000, 1_000_000), 6), random.nextLong(3 * GIB), 0),
                Interval.of(start, end),
                random.nextInt(10) == 0 ? StartKind.POOLED : StartKind.COLD,
                phases,
                new Work(busy / 40, busy / 90_000, interrupted ? 3 : 0, busy * 25, busy),
                interrupted ? ReplicaEnd.INTERRUPTED : ReplicaEnd.STOPPED);
        rows.add(new UsageRecord.Replica(replica, 2));
        running.add(new Running(replica, start.plus(replica.startTime())));
    }

    private void minutes(Instant start, List<UsageRecord> rows) {
        running.removeIf(one -> !one.replica().time().end().orElseThrow().isAfter(start));
        for (int minute = 0; minute < 60; minute++) {
            Instant at = start.plus(minute, ChronoUnit.MINUTES);
            for (Running one : running) {
                if (!one.ready().isAfter(at)
                        && one.replica().time().end().orElseThrow().isAfter(at)) {
                    rows.add(new UsageRecord.Requests(minute(one.replica(), at), 1));
                }
            }
        }
    }

    private RequestMinute minute(ReplicaInterval replica, Instant at) {
        long requests = random.nextLong(1, 2_000);
        return new RequestMinute(
                replica.namespace(),
                replica.function(),
                replica.version(),
                replica.id(),
                at,
                new Work(requests, requests / 700, 0, requests * 1_000, requests * 25));
    }
}
