package io.knabla.controller.knative.manifest;

import io.fabric8.knative.pkg.apis.Condition;
import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.RevisionStatus;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.TrafficTarget;
import io.knabla.controller.knative.WorkloadLabels;
import io.knabla.controller.knative.capacity.CapacitySlot;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Knative objects of one function as observed on the cluster. */
public record ObservedObjects(List<Configuration> configurations, List<Revision> revisions, Optional<Route> route) {
    private static final String GIVEN_UP = "ProgressDeadlineExceeded";

    public ObservedObjects {
        configurations = List.copyOf(configurations);
        revisions = List.copyOf(revisions);
    }

    /** Health of a revision by its Ready condition, reduced to the facts that decisions need. */
    enum Health {
        Ready,
        /** No pod became ready within the progress deadline; Knative never retries. */
        GivenUp,
        Other
    }

    /** A revision with Knabla's labels, reduced to the facts that decisions need. */
    record RevisionState(
            String name,
            int version,
            CapacitySlot slot,
            Health health,
            String created,
            Map<String, String> annotations) {
        boolean ready() {
            return health == Health.Ready;
        }
    }

    /** Newest first; without revisions that lack Knabla's labels. */
    List<RevisionState> states() {
        return revisions.stream()
                .flatMap(revision -> states(revision).stream())
                .sorted(Comparator.comparing(RevisionState::created).reversed())
                .toList();
    }

    /** Names of the revisions that may get requests now or soon: those in the Route's spec or status. */
    Set<String> routed() {
        Set<String> names = new HashSet<>(served());
        route.ifPresent(there -> names.addAll(names(there.getSpec().getTraffic())));
        return names;
    }

    /** Names of the revisions that get requests now; each of them has been ready once. */
    Set<String> served() {
        return route.map(Route::getStatus).stream()
                .flatMap(status -> names(status.getTraffic()).stream())
                .collect(Collectors.toSet());
    }

    Optional<Configuration> configuration(String name) {
        return configurations.stream()
                .filter(configuration -> configuration.getMetadata().getName().equals(name))
                .findFirst();
    }

    /** Name of the revision in a Configuration's template; Knative recreates it if it is deleted. */
    static String templateRevision(Configuration configuration) {
        return Optional.ofNullable(configuration.getSpec())
                .map(spec -> spec.getTemplate())
                .map(template -> template.getMetadata())
                .map(metadata -> metadata.getName())
                .orElse("");
    }

    private static Optional<RevisionState> states(Revision revision) {
        var metadata = revision.getMetadata();
        return WorkloadLabels.version(revision)
                .flatMap(version -> CapacitySlot.of(metadata.getLabels())
                        .map(slot -> new RevisionState(
                                metadata.getName(),
                                version.version(),
                                slot,
                                health(revision),
                                String.valueOf(metadata.getCreationTimestamp()),
                                metadata.getAnnotations())));
    }

    private static Health health(Revision revision) {
        RevisionStatus status = revision.getStatus();
        if (revision.getMetadata().getDeletionTimestamp() != null || status == null) {
            return Health.Other;
        }
        Optional<Condition> ready = status.getConditions().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .findFirst();
        if (ready.filter(condition -> condition.getStatus().equals("True")).isPresent()) {
            return Health.Ready;
        }
        boolean empty = status.getActualReplicas() == null || status.getActualReplicas() == 0;
        return empty
                        && ready.filter(condition -> GIVEN_UP.equals(condition.getReason()))
                                .isPresent()
                ? Health.GivenUp
                : Health.Other;
    }

    private static List<String> names(Collection<TrafficTarget> traffic) {
        return traffic.stream()
                .flatMap(target -> Stream.ofNullable(target.getRevisionName()))
                .toList();
    }
}
