package io.knabla.controller.cluster.knative.manifest;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.cluster.knative.manifest.Observed.Health;
import io.knabla.controller.cluster.knative.manifest.Observed.Seen;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds revisions and Configurations that a function no longer needs and that get no requests. */
record Superfluous(FunctionRecord record, Observed observed, List<Wanted> wanted) {
    /** Newest versions whose revisions are kept for an instant rollback; older ones are recreated on demand. */
    static final int VERSIONS_KEPT = 5;

    List<String> revisions(Routing routing) {
        Set<String> kept = Stream.of(
                        observed.routed().stream(),
                        routing.percents().keySet().stream(),
                        wanted.stream().map(Wanted::name),
                        // Knative would recreate the revision in a Configuration's template.
                        observed.configurations().stream().map(Observed::shown))
                .flatMap(names -> names)
                .collect(Collectors.toSet());
        return observed.seen().stream()
                .filter(revision -> isToBeTriedAgain(revision)
                        || !kept.contains(revision.name()) && (isOld(revision) || isReplaced(revision)))
                .map(Seen::name)
                .toList();
    }

    /** Deleting a given-up revision makes its Configuration create it again. */
    private boolean isToBeTriedAgain(Seen revision) {
        return revision.health() == Health.GivenUp
                && wanted.stream().anyMatch(w -> w.name().equals(revision.name()));
    }

    /** Old or no longer in the catalog; Knative would keep them all, each with a dozen objects. */
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

    /** A slot without nodes now keeps its Configuration, with zero replicas: nodes may return. */
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
