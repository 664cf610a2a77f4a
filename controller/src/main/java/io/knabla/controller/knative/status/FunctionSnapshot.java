package io.knabla.controller.knative.status;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.knative.resource.Labels;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Kubernetes objects of one function as read from the API server.
 *
 * @param pods with the function's label
 * @param nodes all nodes of the cluster
 */
public record FunctionSnapshot(
        List<Configuration> configurations,
        List<Revision> revisions,
        Optional<Route> route,
        List<Pod> pods,
        List<Node> nodes) {
    public FunctionSnapshot {
        configurations = List.copyOf(configurations);
        revisions = List.copyOf(revisions);
        pods = List.copyOf(pods);
        nodes = List.copyOf(nodes);
    }

    /** Sorted by name: the same objects must give the same messages. */
    List<Revision> revisions(int version) {
        return named(revisions, version).toList();
    }

    /** Pods of a version that are not terminating. */
    List<Pod> pods(int version) {
        return allPods(version)
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .toList();
    }

    Stream<Pod> allPods(int version) {
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
