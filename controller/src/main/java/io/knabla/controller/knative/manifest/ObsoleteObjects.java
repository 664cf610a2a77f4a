package io.knabla.controller.knative.manifest;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.manifest.ObservedObjects.Health;
import io.knabla.controller.knative.manifest.ObservedObjects.RevisionState;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds revisions and Configurations that a function no longer needs and that get no requests. */
record ObsoleteObjects(FunctionRecord record, ObservedObjects observed, List<DesiredRevision> wanted) {
    /** Newest versions whose revisions are kept for an instant rollback; older ones are recreated on demand. */
    static final int VERSIONS_KEPT = 5;

    List<String> revisions(Routing routing) {
        Set<String> kept = Stream.of(
                        observed.routed().stream(),
                        routing.percents().keySet().stream(),
                        routing.tags().values().stream(),
                        wanted.stream().map(DesiredRevision::name),
                        // Knative would recreate the revision in a Configuration's template.
                        observed.configurations().stream().map(ObservedObjects::templateRevision))
                .flatMap(names -> names)
                .collect(Collectors.toSet());
        return observed.states().stream()
                .filter(revision -> needsRetry(revision)
                        || !kept.contains(revision.name()) && (isOld(revision) || isReplaced(revision)))
                .map(RevisionState::name)
                .toList();
    }

    /** Deleting a given-up revision makes its Configuration create it again. */
    private boolean needsRetry(RevisionState revision) {
        return revision.health() == Health.GivenUp
                && wanted.stream().anyMatch(w -> w.name().equals(revision.name()));
    }

    /** Old or no longer in the catalog; Knative would keep them all, each with a dozen objects. */
    private boolean isOld(RevisionState revision) {
        return Stream.concat(
                        record.versions().reversed().stream().limit(VERSIONS_KEPT),
                        wanted.stream().map(DesiredRevision::version))
                .noneMatch(version -> version.number() == revision.version());
    }

    private boolean isReplaced(RevisionState revision) {
        return wanted.stream()
                .filter(w -> w.matchesVersionAndSlot(revision))
                .anyMatch(w -> observed.states().stream()
                        .anyMatch(s -> s.ready() && s.name().equals(w.name())));
    }

    /** A slot without nodes now keeps its Configuration, with zero replicas: nodes may return. */
    List<String> configurations() {
        Set<CapacitySlot> possible = record.versions().stream()
                .flatMap(version -> PlacementPlan.possibleSlots(version.spec()).stream())
                .collect(Collectors.toSet());
        Set<String> routed = observed.routed();
        return observed.configurations().stream()
                .filter(configuration -> CapacitySlot.of(
                                configuration.getMetadata().getLabels())
                        .filter(slot -> !possible.contains(slot))
                        .filter(slot -> !takesRequests(slot, routed))
                        .isPresent())
                .map(configuration -> configuration.getMetadata().getName())
                .toList();
    }

    private boolean takesRequests(CapacitySlot slot, Set<String> routed) {
        return observed.states().stream().anyMatch(s -> s.slot().equals(slot) && routed.contains(s.name()));
    }
}
