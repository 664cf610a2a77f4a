package io.knabla.controller.knative.status;

import io.fabric8.kubernetes.api.model.Node;
import io.knabla.controller.knative.capacity.ClusterNode;
import java.util.List;
import java.util.Optional;

/** Finds replicas on a node that is gone or no longer ready. */
final class Nodes {
    static final String GONE = "NodeGone";

    private Nodes() {}

    /** Kubernetes deletes such a pod only after a minute or more, and reports it as ready until then. */
    static Optional<Trouble> trouble(String name, List<Node> nodes) {
        // An empty list means that the nodes were not read: pods cannot run without any.
        if (nodes.isEmpty()) {
            return Optional.empty();
        }
        return find(nodes, name)
                .map(node -> ClusterNode.ready(node) ? Optional.<String>empty() : Optional.of("no longer answers"))
                .orElseGet(() -> Optional.of("is gone"))
                .map(what -> gone(name, what));
    }

    static Optional<Node> find(List<Node> nodes, String name) {
        return nodes.stream()
                .filter(node -> node.getMetadata().getName().equals(name))
                .findFirst();
    }

    private static Trouble gone(String name, String what) {
        return Trouble.placing(
                GONE,
                "node %s %s, and the replica on it with it; Kubernetes starts another one elsewhere as soon as it has given this one up (about a minute)."
                        .formatted(name, what));
    }
}
