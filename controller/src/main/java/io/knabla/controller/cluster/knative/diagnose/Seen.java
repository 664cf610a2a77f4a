package io.knabla.controller.cluster.knative.diagnose;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.cluster.knative.Labels;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the API server shows of one function.
 *
 * @param pods the function's own, by their label
 * @param nodes all of the cluster
 */
public record Seen(
        List<Configuration> configurations,
        List<Revision> revisions,
        Optional<Route> route,
        List<Pod> pods,
        List<Node> nodes) {
    public Seen {
        configurations = List.copyOf(configurations);
        revisions = List.copyOf(revisions);
        pods = List.copyOf(pods);
        nodes = List.copyOf(nodes);
    }

    /** Whether a replica waits for an object that it needs, such as a Secret, or is not made for it. */
    public boolean lacksObjects() {
        return pods.stream().anyMatch(Containers::lacksObjects)
                || revisions.stream().anyMatch(Revisions::lacksPods);
    }

    /** In the order of their names, so that the same world gives the same words. */
    List<Revision> revisions(int version) {
        return named(revisions, version).toList();
    }

    /** Those that are not on their way out. */
    List<Pod> pods(int version) {
        return all(version)
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .toList();
    }

    Stream<Pod> all(int version) {
        return named(pods, version);
    }

    private static <T extends HasMetadata> Stream<T> named(List<T> objects, int version) {
        String number = Integer.toString(version);
        return objects.stream()
                .filter(object -> number.equals(label(object, Labels.VERSION).orElse("")))
                .sorted(Comparator.comparing(object -> object.getMetadata().getName()));
    }

    static Optional<String> label(HasMetadata object, String name) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return Optional.ofNullable(labels).map(all -> all.get(name));
    }
}
