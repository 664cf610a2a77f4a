package io.knabla.controller.cost.record;

import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A cluster as a function of time, so that it outlives every controller and all of them see the same: nodes that
 * overlap, and replicas of a few minutes to two hours. What ended stays known for ten minutes; some replicas for hours,
 * as Kubernetes keeps evicted pods.
 */
final class TimedPlatform {
    /** Long ago: what a store holds must not look old. */
    static final Instant BEGIN = Instant.parse("2026-01-01T00:30:00Z");

    private static final Duration NODE_EVERY = Duration.ofMinutes(45);
    private static final Duration NODE_LIFE = Duration.ofMinutes(170);
    private static final Duration REPLICA_EVERY = Duration.ofSeconds(247);
    private static final Duration RETAINED = Duration.ofMinutes(10);
    private static final Duration LINGERING = Duration.ofHours(6);
    private static final int MOST_MINUTES = 120;

    private TimedPlatform() {}

    static List<NodeInterval> nodes(Instant now) {
        return IntStream.rangeClosed(0, started(now, NODE_EVERY))
                .mapToObj(node -> node(node, now))
                .filter(node -> isListed(node.time(), RETAINED, now))
                .toList();
    }

    static List<ReplicaInterval> replicas(Instant now) {
        return IntStream.rangeClosed(0, started(now, REPLICA_EVERY))
                .mapToObj(replica -> replica(replica, now))
                .filter(replica -> isListed(replica.time(), number(replica.id()) % 8 == 0 ? LINGERING : RETAINED, now))
                .toList();
    }

    /** What it is at this time, also if it is no more listed. */
    static NodeInterval node(String id, Instant now) {
        return node(number(id), now);
    }

    /** What it is at this time, also if it is no more listed. */
    static ReplicaInterval replica(String id, Instant now) {
        return replica(number(id), now);
    }

    private static int started(Instant now, Duration every) {
        return (int) Duration.between(BEGIN, now).dividedBy(every);
    }

    private static boolean isListed(Interval time, Duration retained, Instant now) {
        return time.end().filter(end -> end.plus(retained).isBefore(now)).isEmpty();
    }

    private static int number(String id) {
        return Integer.parseInt(id.substring(1));
    }

    private static NodeInterval node(int number, Instant now) {
        Instant start = BEGIN.plus(NODE_EVERY.multipliedBy(number));
        Interval time = until(start, start.plus(NODE_LIFE), now);
        return new NodeInterval(
                "n" + number,
                "node-" + number % 3,
                "cpu",
                CapacityType.SPOT,
                "local",
                "",
                "local",
                FakePlatform.SIZE,
                time,
                time.end().isPresent() ? NodeEnd.INTERRUPTED : NodeEnd.RUNNING);
    }

    private static ReplicaInterval replica(int number, Instant now) {
        Instant start = BEGIN.plus(REPLICA_EVERY.multipliedBy(number));
        Interval time = until(start, start.plus(Duration.ofMinutes(1 + number * 37 % MOST_MINUTES)), now);
        return new ReplicaInterval(
                "r" + number,
                "default",
                "add-sub",
                1,
                "n" + started(start, NODE_EVERY),
                FakePlatform.SIZE,
                Resources.NONE,
                time,
                StartKind.COLD,
                Map.of("boot", Duration.ofMillis(20)),
                work(number, Duration.between(start, time.end().orElse(now)).toSeconds()),
                time.end().isPresent() ? ReplicaEnd.STOPPED : ReplicaEnd.RUNNING);
    }

    private static Interval until(Instant start, Instant end, Instant now) {
        return new Interval(start, Optional.of(end).filter(at -> !at.isAfter(now)));
    }

    /** Some replicas are idle. */
    private static Work work(int number, long seconds) {
        long succeeded = seconds * (number % 4);
        return new Work(succeeded, seconds / 97, 0, 64 * succeeded, 5 * succeeded);
    }
}
