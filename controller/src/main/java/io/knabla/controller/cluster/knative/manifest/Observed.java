package io.knabla.controller.cluster.knative.manifest;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Revision;
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
import java.util.stream.Stream;

/** What a cluster has of one function. */
public record Observed(
        List<Configuration> configurations, List<Revision> revisions, Optional<Route> route) {
    public Observed {
        configurations = List.copyOf(configurations);
        revisions = List.copyOf(revisions);
    }

    /** A revision that Knabla's labels are on, as far as decisions need it. */
    record Seen(
            String name,
            int version,
            Slot slot,
            boolean ready,
            String created,
            Map<String, String> annotations) {}

    /** Newest first; those that somebody else made are not ours to judge. */
    List<Seen> seen() {
        return revisions.stream()
                .flatMap(revision -> seen(revision).stream())
                .sorted(Comparator.comparing(Seen::created).reversed())
                .toList();
    }

    /** Names of the revisions that requests may be on their way to, now or in a moment. */
    Set<String> routed() {
        Set<String> names = new HashSet<>();
        route.ifPresent(
                there -> {
                    names.addAll(names(there.getSpec().getTraffic()));
                    if (there.getStatus() != null) {
                        names.addAll(names(there.getStatus().getTraffic()));
                    }
                });
        return names;
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
                        .map(
                                slot ->
                                        new Seen(
                                                metadata.getName(),
                                                Integer.parseInt(version),
                                                slot,
                                                isReady(revision),
                                                String.valueOf(metadata.getCreationTimestamp()),
                                                metadata.getAnnotations()))
                : Optional.empty();
    }

    private static boolean isReady(Revision revision) {
        return revision.getMetadata().getDeletionTimestamp() == null
                && revision.getStatus() != null
                && revision.getStatus().getConditions().stream()
                        .anyMatch(
                                condition ->
                                        condition.getType().equals("Ready")
                                                && condition.getStatus().equals("True"));
    }

    private static List<String> names(Collection<TrafficTarget> traffic) {
        return traffic.stream()
                .flatMap(target -> Stream.ofNullable(target.getRevisionName()))
                .toList();
    }
}
