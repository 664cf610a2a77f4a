package io.knabla.controller.cluster.knative.manifest;

import io.fabric8.knative.pkg.apis.Condition;
import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.RevisionStatus;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.TrafficTarget;
import io.knabla.controller.cluster.knative.Labels;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a cluster has of one function. */
public record Observed(List<Configuration> configurations, List<Revision> revisions, Optional<Route> route) {
    private static final String GIVEN_UP = "ProgressDeadlineExceeded";

    public Observed {
        configurations = List.copyOf(configurations);
        revisions = List.copyOf(revisions);
    }

    /** What Knative says of a revision, as far as it decides anything. */
    enum Health {
        Ready,
        /** It got no ready pod in the time it had, and Knative never tries again. */
        GivenUp,
        Other
    }

    /** A revision that Knabla's labels are on, as far as decisions need it. */
    record Seen(String name, int version, Slot slot, Health health, String created, Map<String, String> annotations) {
        boolean ready() {
            return health == Health.Ready;
        }
    }

    /** Newest first; those that somebody else made are not ours to judge. */
    List<Seen> seen() {
        return revisions.stream()
                .flatMap(revision -> seen(revision).stream())
                .sorted(Comparator.comparing(Seen::created).reversed())
                .toList();
    }

    /** Names of the revisions that requests may be on their way to, now or in a moment. */
    Set<String> routed() {
        Set<String> names = new HashSet<>(served());
        route.ifPresent(there -> names.addAll(names(there.getSpec().getTraffic())));
        return names;
    }

    /** Names of the revisions that get requests, which they only do once they were ready. */
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

    /** The revision that a Configuration shows, and would make again. */
    static String shown(Configuration configuration) {
        return Optional.ofNullable(configuration.getSpec())
                .map(spec -> spec.getTemplate())
                .map(template -> template.getMetadata())
                .map(metadata -> metadata.getName())
                .orElse("");
    }

    private static Optional<Seen> seen(Revision revision) {
        var metadata = revision.getMetadata();
        String version = metadata.getLabels().getOrDefault(Labels.VERSION, "");
        return version.matches("\\d{1,9}")
                ? Slot.of(metadata.getLabels())
                        .map(slot -> new Seen(
                                metadata.getName(),
                                Integer.parseInt(version),
                                slot,
                                health(revision),
                                String.valueOf(metadata.getCreationTimestamp()),
                                metadata.getAnnotations()))
                : Optional.empty();
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
