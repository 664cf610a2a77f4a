package io.knabla.controller.cli.doctor;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.knabla.controller.knative.resource.Labels;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds spot replicas that a drain has waited for longer than a controller that runs lets it wait. */
record DrainHoldCheck(Collection<PodDisruptionBudget> budgets, Collection<Node> nodes, Collection<Pod> pods) {
    private static final String CHECK = "drains";

    /** {@code KNABLA_SPOT_HOLD} is two minutes if nobody changed it, as is the notice of an interruption. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private static final String CORDON = "node.kubernetes.io/unschedulable";

    static Finding of(KubernetesClient client, Instant now) {
        try {
            return read(client).finding(now);
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw refused;
            }
            return Finding.good(CHECK, "not checked: this context may not list PodDisruptionBudgets");
        }
    }

    private static DrainHoldCheck read(KubernetesClient client) {
        return new DrainHoldCheck(
                client.policy()
                        .v1()
                        .podDisruptionBudget()
                        .inAnyNamespace()
                        .withLabel(Labels.DRAIN_HOLD)
                        .list()
                        .getItems(),
                client.nodes().list().getItems(),
                client.pods().inAnyNamespace().withLabel(Labels.FUNCTION).list().getItems());
    }

    private Finding finding(Instant now) {
        Map<String, Node> waiting = nodes.stream()
                .filter(node -> isCordonedLong(node, now))
                .collect(Collectors.toMap(node -> node.getMetadata().getName(), node -> node));
        List<PodDisruptionBudget> lasting =
                budgets.stream().filter(budget -> holds(budget, waiting)).toList();
        if (lasting.isEmpty()) {
            return Finding.good(CHECK, "%d budgets hold a last spot replica, none for long".formatted(budgets.size()));
        }
        var first = lasting.getFirst().getMetadata();
        return Finding.poor(
                CHECK,
                "%s holds a replica on a node that has been cordoned for more than %d minutes, as do %d more budgets"
                        .formatted(first.getName(), LONGEST.toMinutes(), lasting.size() - 1),
                "kubectl delete poddisruptionbudget -n %s %s; then see why no controller released it"
                        .formatted(first.getNamespace(), first.getName()));
    }

    private static boolean isCordonedLong(Node node, Instant now) {
        return node.getSpec() != null
                && Boolean.TRUE.equals(node.getSpec().getUnschedulable())
                && Stream.ofNullable(node.getSpec().getTaints())
                        .flatMap(List::stream)
                        .filter(taint -> CORDON.equals(taint.getKey()))
                        .flatMap(taint -> Optional.ofNullable(taint.getTimeAdded()).map(Instant::parse).stream())
                        .anyMatch(since -> now.isAfter(since.plus(LONGEST)));
    }

    /** Whether all ready pods that the budget selects are on such nodes. */
    private boolean holds(PodDisruptionBudget budget, Map<String, Node> waiting) {
        Map<String, String> selected = budget.getSpec().getSelector().getMatchLabels();
        List<Pod> ready = pods.stream()
                .filter(pod -> pod.getMetadata()
                        .getNamespace()
                        .equals(budget.getMetadata().getNamespace()))
                .filter(pod -> Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of())
                        .entrySet()
                        .containsAll(selected.entrySet()))
                .filter(Readiness::isPodReady)
                .toList();
        return !ready.isEmpty()
                && ready.stream()
                        .allMatch(pod -> waiting.containsKey(pod.getSpec().getNodeName()));
    }
}
