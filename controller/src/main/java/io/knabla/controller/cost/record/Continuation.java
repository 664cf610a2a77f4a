package io.knabla.controller.cost.record;

import io.knabla.controller.cost.usage.Interval;
import io.knabla.controller.cost.usage.NodeInterval;
import io.knabla.controller.cost.usage.ReplicaInterval;
import io.knabla.controller.cost.usage.Resources;
import io.knabla.controller.cost.usage.Work;

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
                max(last.work(), now.work()),
                last.time().end().isPresent() ? last.end() : now.end());
    }

    private static Interval continued(Interval last, Interval now) {
        return last.end().isPresent()
                ? last
                : new Interval(last.start(), now.end().map(end -> end.isBefore(last.start()) ? last.start() : end));
    }

    private static Work max(Work one, Work other) {
        return new Work(
                Math.max(one.succeeded(), other.succeeded()),
                Math.max(one.failed(), other.failed()),
                Math.max(one.retried(), other.retried()),
                Math.max(one.elements(), other.elements()),
                Math.max(one.busyMillis(), other.busyMillis()));
    }

    /** Work done between two totals, of which the later are nowhere less. */
    static Work between(Work earlier, Work later) {
        return new Work(
                later.succeeded() - earlier.succeeded(),
                later.failed() - earlier.failed(),
                later.retried() - earlier.retried(),
                later.elements() - earlier.elements(),
                later.busyMillis() - earlier.busyMillis());
    }
}
