package io.knabla.controller.spot.policy;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The launches, drains and routing of one decision: a line for each replica that exists, and for each to launch. */
public record Plan(List<PlanLine> lines) {
    public Plan {
        lines = List.copyOf(lines);
    }

    public List<PlanLine.Launch> launches() {
        return of(PlanLine.Launch.class);
    }

    public List<PlanLine.Keep> kept() {
        return of(PlanLine.Keep.class);
    }

    public List<PlanLine.Drain> drains() {
        return of(PlanLine.Drain.class);
    }

    /** Ids of the replicas that requests go to. */
    public Set<String> routed() {
        return kept().stream()
                .filter(PlanLine.Keep::routed)
                .map(PlanLine.Keep::replica)
                .collect(Collectors.toUnmodifiableSet());
    }

    private <L extends PlanLine> List<L> of(Class<L> kind) {
        return lines.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
