package io.knabla.controller.cost.record;

import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;

/**
 * Continues records: starts and ends stay as they were recorded first, and totals never decrease, because a source that
 * was restarted may not know them again yet.
 */
final class Continuation {
    private Continuation() {}

    static NodeInterval of(NodeInterval last, NodeInterval now) {
        return now.during(continued(last.time(), now.time()), last.time().end().isPresent() ? last.end() : now.end());
    }

    static ReplicaInterval of(ReplicaInterval last, ReplicaInterval now) {
        return new ReplicaInterval(
                now.id(),
                now.namespace(),
                now.function(),
                now.version(),
                now.node(),
                now.requested(),
                now.used().equals(Resources.NONE) ? last.used() : now.used(),
                continued(last.time(), now.time()),
                now.startPhases().isEmpty() ? last.startKind() : now.startKind(),
                now.startPhases().isEmpty() ? last.startPhases() : now.startPhases(),
                last.work().max(now.work()),
                last.time().end().isPresent() ? last.end() : now.end());
    }

    private static Interval continued(Interval last, Interval now) {
        return last.end().isPresent()
                ? last
                : new Interval(last.start(), now.end().map(end -> end.isBefore(last.start()) ? last.start() : end));
    }
}
