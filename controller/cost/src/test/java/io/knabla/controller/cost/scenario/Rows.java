package io.knabla.controller.cost.scenario;

import io.knabla.controller.cost.usage.CapacityType;
import io.knabla.controller.cost.usage.Interval;
import io.knabla.controller.cost.usage.NodeEnd;
import io.knabla.controller.cost.usage.NodeInterval;
import io.knabla.controller.cost.usage.ReplicaEnd;
import io.knabla.controller.cost.usage.ReplicaInterval;
import io.knabla.controller.cost.usage.Resources;
import io.knabla.controller.cost.usage.StartKind;
import io.knabla.controller.cost.usage.Work;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Makes rows of usage for tests: valid ones, with quarters of a node of 4 CPUs and 16 GiB. */
public final class Rows {
    public static final Instant MIDNIGHT = Instant.parse("2026-03-10T00:00:00Z");
    static final Resources NODE = quarters(4);

    private Rows() {}

    static Resources quarters(int quarters) {
        return new Resources(BigDecimal.valueOf(quarters), quarters * (4L << 30), 0);
    }

    static Resources eighths(int eighths) {
        return new Resources(BigDecimal.valueOf(eighths * 5L, 1), eighths * (2L << 30), 0);
    }

    /** A time of the day, such as {@code 01:20} or {@code 01:20:30}. */
    static Instant at(String time) {
        return MIDNIGHT.plusSeconds(java.time.LocalTime.parse(time).toSecondOfDay());
    }

    static Interval time(String from, String until) {
        return Interval.of(at(from), at(until));
    }

    public static NodeInterval node(String id, CapacityType capacity, Interval time, NodeEnd end) {
        return node(id, TestBook.TYPE, capacity, time, end);
    }

    static NodeInterval node(String id, String type, CapacityType capacity, Interval time, NodeEnd end) {
        return new NodeInterval(id, id, "cpu", capacity, type, "us-test-1", "ust1-az1", NODE, time, end);
    }

    static ReplicaInterval replica(String id, String function, String node, Interval time) {
        Resources quarter = quarters(1);
        return new ReplicaInterval(
                id,
                "shop",
                function,
                1,
                node,
                quarter,
                quarter,
                time,
                StartKind.COLD,
                Map.of(),
                Work.NONE,
                ReplicaEnd.STOPPED);
    }

    static ReplicaInterval ofVersion(ReplicaInterval row, int version) {
        return new ReplicaInterval(
                row.id(),
                row.namespace(),
                row.function(),
                version,
                row.node(),
                row.requested(),
                row.used(),
                row.time(),
                row.startKind(),
                row.startPhases(),
                row.work(),
                row.end());
    }

    static ReplicaInterval sized(ReplicaInterval row, Resources requested, Resources used) {
        return new ReplicaInterval(
                row.id(),
                row.namespace(),
                row.function(),
                row.version(),
                row.node(),
                requested,
                used,
                row.time(),
                row.startKind(),
                row.startPhases(),
                row.work(),
                row.end());
    }

    static ReplicaInterval started(ReplicaInterval row, Map<String, Duration> phases) {
        return new ReplicaInterval(
                row.id(),
                row.namespace(),
                row.function(),
                row.version(),
                row.node(),
                row.requested(),
                row.used(),
                row.time(),
                row.startKind(),
                phases,
                row.work(),
                row.end());
    }

    static ReplicaInterval worked(ReplicaInterval row, Work work, ReplicaEnd end) {
        return new ReplicaInterval(
                row.id(),
                row.namespace(),
                row.function(),
                row.version(),
                row.node(),
                row.requested(),
                row.used(),
                row.time(),
                row.startKind(),
                row.startPhases(),
                work,
                end);
    }
}
