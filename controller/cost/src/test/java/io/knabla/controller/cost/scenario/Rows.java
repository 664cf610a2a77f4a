package io.knabla.controller.cost.scenario;

import io.knabla.controller.price.TestNodes;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;

/** Makes rows of replicas for tests: valid ones, with quarters of a node of {@link TestNodes}. */
final class Rows {

    private Rows() {}

    static Resources quarters(int quarters) {
        return new Resources(BigDecimal.valueOf(quarters), quarters * (4L << 30), 0);
    }

    static Resources eighths(int eighths) {
        return new Resources(BigDecimal.valueOf(eighths * 5L, 1), eighths * (2L << 30), 0);
    }

    /** A time of the day, such as {@code 01:20} or {@code 01:20:30}. */
    static Instant at(String time) {
        return TestNodes.MIDNIGHT.plusSeconds(java.time.LocalTime.parse(time).toSecondOfDay());
    }

    static Interval time(String from, String until) {
        return Interval.of(at(from), at(until));
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

    static ReplicaInterval worked(ReplicaInterval row, Work work, ReplicaEnd end) {
        return row.during(row.time(), end).withWork(work);
    }
}
