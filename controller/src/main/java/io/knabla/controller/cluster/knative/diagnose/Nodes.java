package io.knabla.controller.cluster.knative.diagnose;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.cluster.knative.ClusterNode;
import java.util.List;
import java.util.Optional;

/** What becomes of pods whose node goes. */
final class Nodes {
    static final String GONE = "NodeGone";

    private Nodes() {}

    /** Kubernetes deletes such a pod only after a minute or more, and until then calls it ready. */
    static Optional<Trouble> trouble(Pod pod, List<Node> nodes) {
        return Pods.node(pod)
                // A cluster without nodes runs no pods either: they were not told.
                .filter(_ -> !nodes.isEmpty())
                .flatMap(name -> find(nodes, name)
                        .map(node ->
                                ClusterNode.ready(node) ? Optional.<String>empty() : Optional.of("no longer answers"))
                        .orElseGet(() -> Optional.of("is gone"))
                        .map(what -> gone(name, what)));
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
