package io.knabla.controller.knative.usage;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.usage.NodeInterval;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What is known of one node.
 *
 * @param gone when it was deleted; empty while it exists
 * @param byEvent whether an event said that the provider takes it back
 */
record SeenNode(Node node, Optional<Instant> gone, boolean byEvent) {
    static SeenNode of(Node node) {
        return new SeenNode(node, Optional.empty(), false);
    }

    /**
     * The node that had the name of the pod's node when the pod was scheduled: names come again. If none was there yet,
     * clocks differ, and it is the first.
     */
    static Optional<SeenNode> of(Pod pod, Collection<SeenNode> nodes) {
        Instant scheduled = PodStatusReader.scheduled(pod).orElse(Instant.MAX);
        List<SeenNode> named = nodes.stream()
                .filter(node -> node.name().equals(pod.getSpec().getNodeName()))
                .sorted(Comparator.comparing(node -> NodeUsage.start(node.node())))
                .toList();
        return named.reversed().stream()
                .filter(node -> !NodeUsage.start(node.node()).isAfter(scheduled))
                .findFirst()
                .or(() -> named.stream().findFirst());
    }

    SeenNode updated(Node now) {
        return new SeenNode(now, gone, byEvent);
    }

    SeenNode deleted(Instant at) {
        return new SeenNode(node, Optional.of(at), byEvent);
    }

    SeenNode noticed() {
        return new SeenNode(node, gone, true);
    }

    String uid() {
        return NodeUsage.uid(node);
    }

    String name() {
        return node.getMetadata().getName();
    }

    /** Whether the provider takes it back. */
    boolean isNoticed() {
        return byEvent || NodeUsage.hasNotice(node);
    }

    NodeInterval interval() {
        return NodeUsage.of(node, gone, byEvent);
    }
}
