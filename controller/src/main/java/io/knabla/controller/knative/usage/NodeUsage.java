package io.knabla.controller.knative.usage;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.knabla.controller.knative.capacity.ClusterNode;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Converts a node to the interval for which it is paid. Pure. */
final class NodeUsage {
    private static final String INSTANCE_TYPE = "node.kubernetes.io/instance-type";
    private static final String REGION = "topology.kubernetes.io/region";
    private static final String ZONE = "topology.kubernetes.io/zone";

    /** Labels of spot nodes that Knabla does not place on, each with its value. */
    private static final Map<String, String> OTHER_SPOT = Map.of(
            "cloud.google.com/gke-spot", "true",
            "cloud.google.com/gke-preemptible", "true",
            "kubernetes.azure.com/scalesetpriority", "spot");

    /** Taints that the AWS Node Termination Handler and GKE set after the provider's notice. */
    private static final Set<String> NOTICES =
            Set.of("aws-node-termination-handler/spot-itn", "cloud.google.com/impending-node-termination");

    private NodeUsage() {}

    /**
     * @param gone when it was deleted; empty while it exists. A node that is being drained is still paid for
     * @param noticed whether an event said that the provider takes it back
     */
    static NodeInterval of(Node node, Optional<Instant> gone, boolean noticed) {
        Map<String, String> labels = labels(node);
        var known = ClusterNode.of(node);
        Instant start = start(node);
        return new NodeInterval(
                uid(node),
                known.name(),
                known.pool().name(),
                isSpot(node) ? CapacityType.SPOT : CapacityType.ON_DEMAND,
                labels.getOrDefault(INSTANCE_TYPE, ""),
                labels.getOrDefault(REGION, ""),
                labels.getOrDefault(ClusterNode.ZONE_ID, labels.getOrDefault(ZONE, "")),
                Amounts.of(capacity(node)),
                new Interval(start, gone.map(end -> end.isBefore(start) ? start : end)),
                gone.map(_ -> noticed || hasNotice(node) ? NodeEnd.INTERRUPTED : NodeEnd.RELEASED)
                        .orElse(NodeEnd.RUNNING));
    }

    static String uid(Node node) {
        return node.getMetadata().getUid();
    }

    static Instant start(Node node) {
        return Instant.parse(node.getMetadata().getCreationTimestamp());
    }

    /** Whether it was made for functions, as the NodePools in {@code k8s} label their nodes. */
    static boolean isForFunctions(Node node) {
        return labels(node).containsKey(Labels.POOL);
    }

    /** Whether a taint says that the provider takes it back. */
    static boolean hasNotice(Node node) {
        return taints(node).anyMatch(NOTICES::contains);
    }

    /** Whether something ends it: then an event may tell why. */
    static boolean isEnding(Node node) {
        return node.getMetadata().getDeletionTimestamp() != null
                || taints(node).anyMatch("karpenter.sh/disrupted"::equals);
    }

    private static boolean isSpot(Node node) {
        return ClusterNode.of(node).capacityType() == io.knabla.controller.machine.Node.CapacityType.Spot
                || labels(node).entrySet().stream().anyMatch(OTHER_SPOT.entrySet()::contains);
    }

    private static Stream<String> taints(Node node) {
        return node.getSpec() == null || node.getSpec().getTaints() == null
                ? Stream.empty()
                : node.getSpec().getTaints().stream().map(Taint::getKey);
    }

    private static Map<String, String> labels(Node node) {
        return Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
    }

    private static Map<String, Quantity> capacity(Node node) {
        return Optional.ofNullable(node.getStatus())
                .map(status -> status.getCapacity())
                .orElse(Map.of());
    }
}
