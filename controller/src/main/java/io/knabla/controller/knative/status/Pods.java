package io.knabla.controller.knative.status;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads readiness, node and problems from the status of one pod. */
final class Pods {
    private Pods() {}

    static boolean ready(Pod pod) {
        return condition(pod, "Ready")
                .map(PodCondition::getStatus)
                .filter("True"::equals)
                .isPresent();
    }

    static Optional<String> node(Pod pod) {
        return Optional.ofNullable(pod.getSpec())
                .map(spec -> spec.getNodeName())
                .filter(name -> !name.isEmpty());
    }

    static Optional<Trouble> trouble(Pod pod, List<Node> nodes) {
        if (pod.getStatus() == null || "Succeeded".equals(pod.getStatus().getPhase())) {
            return Optional.empty();
        }
        return unschedulable(pod, nodes)
                .or(() -> lostNode(pod, nodes))
                .or(() -> failed(pod))
                .or(() -> ready(pod) ? Optional.empty() : Containers.trouble(pod));
    }

    /** The problem of the pod's node; empty while the node is ready, and before the pod has one. */
    static Optional<Trouble> lostNode(Pod pod, List<Node> nodes) {
        return node(pod).flatMap(name -> Nodes.trouble(name, nodes));
    }

    private static Optional<Trouble> unschedulable(Pod pod, List<Node> nodes) {
        return condition(pod, "PodScheduled")
                .filter(scheduled -> "False".equals(scheduled.getStatus()))
                .filter(scheduled -> "Unschedulable".equals(scheduled.getReason()))
                .map(scheduled ->
                        Scheduling.trouble(pod.getSpec(), Objects.toString(scheduled.getMessage(), ""), nodes));
    }

    /** Handles pods that failed as a whole, such as Evicted; {@link Containers} handles container failures. */
    private static Optional<Trouble> failed(Pod pod) {
        return Optional.of(pod.getStatus())
                .filter(status -> "Failed".equals(status.getPhase()) && status.getReason() != null)
                .map(status -> Trouble.running(
                        status.getReason(),
                        "node %s gave a replica up: %s. Another one takes its place; where it happens again, give the node more room."
                                .formatted(
                                        node(pod).orElse("?"),
                                        Objects.toString(status.getMessage(), "no more was said"))));
    }

    private static Optional<PodCondition> condition(Pod pod, String type) {
        return Stream.ofNullable(pod.getStatus())
                .flatMap(status -> Stream.ofNullable(status.getConditions()))
                .flatMap(List::stream)
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }
}
