package io.knabla.controller.cost.ledger;

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
import io.knabla.functions.unit.usage.Counters;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Makes valid rows; a test states only what it is about. */
public final class TestRows {
    public static final Instant FIVE = Instant.parse("2026-11-23T05:00:00Z");
    public static final Instant SIX = FIVE.plus(Duration.ofHours(1));
    public static final Instant SEVEN = FIVE.plus(Duration.ofHours(2));

    private TestRows() {}

    public static UsageRecord running(String id, Instant start, long revision) {
        return node(id, new Interval(start, Optional.empty()), NodeEnd.RUNNING, revision);
    }

    public static UsageRecord ended(String id, Instant start, Instant end, long revision) {
        return node(id, Interval.of(start, end), NodeEnd.INTERRUPTED, revision);
    }

    private static UsageRecord node(String id, Interval time, NodeEnd end, long revision) {
        Resources size = new Resources(new BigDecimal("4"), 16L << 30, 1);
        return new UsageRecord.Node(
                new NodeInterval(
                        id,
                        "node 'ü' \"1\"",
                        "gpu",
                        CapacityType.SPOT,
                        "g5.xlarge",
                        "us-east-1",
                        "use1-az1",
                        size,
                        time,
                        end),
                revision);
    }

    public static UsageRecord replica(String id, Instant start, long succeeded, long revision) {
        Interval time = new Interval(start.plusNanos(123_456_000), Optional.empty());
        return replica(id, time, ReplicaEnd.RUNNING, work(succeeded, Counters.NONE), revision);
    }

    static UsageRecord stopped(String id, Instant start, Instant end) {
        return stopped(id, start, end, Counters.NONE);
    }

    static UsageRecord stopped(String id, Instant start, Instant end, Counters counters) {
        return replica(id, Interval.of(start, end), ReplicaEnd.STOPPED, work(1, counters), 0);
    }

    /** A replica with a share of a GPU. */
    static UsageRecord onGpu(String id, Instant start, Instant end, BigDecimal share) {
        return replica(
                id,
                Interval.of(start, end),
                ReplicaEnd.STOPPED,
                work(1, Counters.NONE),
                0,
                new Resources(BigDecimal.ONE, 1L << 30, share));
    }

    private static Work work(long succeeded, Counters counters) {
        return new Work(succeeded, 1, 2, Long.MAX_VALUE, 5, counters);
    }

    private static UsageRecord replica(String id, Interval time, ReplicaEnd end, Work work, long revision) {
        return replica(id, time, end, work, revision, new Resources(new BigDecimal("0.25"), 512L << 20, 0));
    }

    private static UsageRecord replica(
            String id, Interval time, ReplicaEnd end, Work work, long revision, Resources requested) {
        return new UsageRecord.Replica(
                new ReplicaInterval(
                        id,
                        "default",
                        "classify",
                        3,
                        "node-1",
                        requested,
                        new Resources(new BigDecimal("0.123457"), 300L << 20, 0),
                        time,
                        StartKind.POOLED,
                        Map.of("fetch", Duration.ofMillis(1200), "load", Duration.ofNanos(1_234_567)),
                        work,
                        end),
                revision);
    }

    public static UsageRecord requests(String replica, Instant minute, long succeeded, long revision) {
        return requests(replica, minute, succeeded, Counters.NONE, revision);
    }

    public static UsageRecord requests(
            String replica, Instant minute, long succeeded, Counters counters, long revision) {
        Work work = new Work(succeeded, 0, 0, 10, 7, counters);
        return new UsageRecord.Requests(new RequestMinute("default", "classify", 3, replica, minute, work), revision);
    }
}
