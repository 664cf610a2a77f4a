package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Period;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Checks rows of usage and repairs what can be repaired; each repair leaves a {@link Fault}. */
final class UsageCheck {
    private final Period period;
    private final List<Fault> faults = new ArrayList<>();

    private UsageCheck(Period period) {
        this.period = period;
    }

    static CheckedUsage check(UsageRows rows, Period period) {
        return new UsageCheck(period).run(rows);
    }

    private CheckedUsage run(UsageRows rows) {
        Map<String, NodeInterval> nodes = unique(rows.nodes(), NodeInterval::id);
        nodes.values().forEach(this::checkSize);
        List<ReplicaInterval> replicas = unique(rows.replicas(), ReplicaInterval::id).values().stream()
                .map(this::withoutNegatives)
                .flatMap(replica -> withinNode(replica, nodes).stream())
                .toList();
        return new CheckedUsage(nodes, replicas, rows.requests(), List.copyOf(faults));
    }

    private <T> Map<String, T> unique(List<T> rows, Function<T, String> id) {
        Map<String, T> unique = new LinkedHashMap<>();
        for (T row : rows) {
            if (unique.putIfAbsent(id.apply(row), row) != null) {
                mark(Fault.Kind.DUPLICATE_ROW, id.apply(row), "another row has this id: " + row);
            }
        }
        return unique;
    }

    private void checkSize(NodeInterval node) {
        if (ResourceWeights.of(node.size()).signum() == 0) {
            mark(Fault.Kind.NODE_WITHOUT_SIZE, node.id(), "it has no CPUs, no memory and no GPUs");
        }
    }

    private ReplicaInterval withoutNegatives(ReplicaInterval replica) {
        Work work = checkedWork(replica);
        if (replica.startPhases().values().stream().noneMatch(Duration::isNegative)) {
            return work == replica.work() ? replica : replica.withWork(work);
        }
        Map<String, Duration> phases = new LinkedHashMap<>(replica.startPhases());
        phases.replaceAll((phase, time) -> {
            if (time.isNegative()) {
                mark(Fault.Kind.NEGATIVE_DURATION, replica.id(), "start phase %s takes %s".formatted(phase, time));
            }
            return time.isNegative() ? Duration.ZERO : time;
        });
        return replica.withStartPhases(phases).withWork(work);
    }

    private Work checkedWork(ReplicaInterval replica) {
        Work work = replica.work();
        boolean negative =
                (work.succeeded() | work.failed() | work.retried() | work.elements() | work.busyMillis()) < 0;
        if (negative) {
            mark(Fault.Kind.NEGATIVE_WORK, replica.id(), work.toString());
        }
        return negative ? Work.NONE : work;
    }

    private Optional<ReplicaInterval> withinNode(ReplicaInterval replica, Map<String, NodeInterval> nodes) {
        NodeInterval node = nodes.get(replica.node());
        if (node == null) {
            mark(Fault.Kind.UNKNOWN_NODE, replica.id(), "there is no row of its node " + replica.node());
            return Optional.of(replica);
        }
        Interval nodeTime = period.settled(node.time());
        Interval time = period.settled(replica.time());
        boolean inside = !time.start().isBefore(nodeTime.start())
                && !time.end().orElseThrow().isAfter(nodeTime.end().orElseThrow());
        if (inside) {
            return Optional.of(replica);
        }
        mark(
                Fault.Kind.OUTSIDE_OF_NODE,
                replica.id(),
                "it ran in %s, and its node %s in %s".formatted(shown(time), node.id(), shown(nodeTime)));
        return time.within(nodeTime.start(), nodeTime.end().orElseThrow())
                .map(part -> replica.during(part, replica.end()));
    }

    private static String shown(Interval time) {
        return "[%s, %s)".formatted(time.start(), time.end().orElseThrow());
    }

    private void mark(Fault.Kind kind, String row, String detail) {
        faults.add(new Fault(kind, row, detail));
    }
}
