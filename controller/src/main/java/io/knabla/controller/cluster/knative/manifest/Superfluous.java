package io.knabla.controller.cluster.knative.manifest;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.cluster.knative.manifest.Observed.Health;
import io.knabla.controller.cluster.knative.manifest.Observed.Seen;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a function no longer needs; nothing that a request may be on its way to. */
record Superfluous(FunctionRecord record, Observed observed, List<Wanted> wanted) {
    /** So many versions keep their revisions, to go back to at once; an older one's are made again. */
    static final int VERSIONS_KEPT = 5;

    List<String> revisions(Routing routing) {
        Set<String> kept = Stream.of(
                        observed.routed().stream(),
                        routing.percents().keySet().stream(),
                        wanted.stream().map(Wanted::name),
                        // What a Configuration shows it would make again.
                        observed.configurations().stream().map(Observed::shown))
                .flatMap(names -> names)
                .collect(Collectors.toSet());
        return observed.seen().stream()
                .filter(revision -> isToBeTriedAgain(revision)
                        || !kept.contains(revision.name()) && (isOld(revision) || isReplaced(revision)))
                .map(Seen::name)
                .toList();
    }

    /** Only when it is gone does its Configuration make it, and try it, once more. */
    private boolean isToBeTriedAgain(Seen revision) {
        return revision.health() == Health.GivenUp
                && wanted.stream().anyMatch(w -> w.name().equals(revision.name()));
    }

    /** Or gone from the catalog; Knative keeps all, each with a dozen objects. */
    private boolean isOld(Seen revision) {
        return Stream.concat(
                        record.versions().reversed().stream().limit(VERSIONS_KEPT),
                        wanted.stream().map(Wanted::version))
                .noneMatch(version -> version.number() == revision.version());
    }

    private boolean isReplaced(Seen revision) {
        return wanted.stream()
                .filter(w -> w.isServedBy(revision))
                .anyMatch(w -> observed.seen().stream()
                        .anyMatch(s -> s.ready() && s.name().equals(w.name())));
    }

    /** A slot that the cluster merely lacks for now keeps its Configuration, at no replica. */
    List<String> configurations() {
        Set<Slot> possible = record.versions().stream()
                .flatMap(version -> SlotPlan.possible(version.spec()).stream())
                .collect(Collectors.toSet());
        Set<String> routed = observed.routed();
        return observed.configurations().stream()
                .filter(configuration -> Slot.of(configuration.getMetadata().getLabels())
                        .filter(slot -> !possible.contains(slot))
                        .filter(slot -> !takesRequests(slot, routed))
                        .isPresent())
                .map(configuration -> configuration.getMetadata().getName())
                .toList();
    }

    private boolean takesRequests(Slot slot, Set<String> routed) {
        return observed.seen().stream().anyMatch(s -> s.slot().equals(slot) && routed.contains(s.name()));
    }
}
