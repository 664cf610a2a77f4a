package io.knabla.controller.knative.interruption;

import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.knative.signal.InterruptionTaint;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Writes taints, evicts pods, reads Routes and Leases. A lost race changes nothing and is tried again in the next
 * round.
 */
final class InterruptionCalls {
    private static final String NODE_LEASES = "kube-node-lease";
    private static final List<Integer> LOST_RACES =
            List.of(HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_CONFLICT);
    private static final PatchContext MERGE = new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager(Labels.MANAGER)
            .build();

    private final KubernetesClient client;

    InterruptionCalls(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Replaces Knabla's taint of a node.
     *
     * @param taint empty to remove it
     * @return whether it was replaced; not if the node has changed meanwhile
     */
    boolean taint(Node node, Optional<InterruptionTaint> taint) {
        List<Taint> taints =
                new ArrayList<>(Objects.requireNonNullElse(node.getSpec().getTaints(), List.of()));
        taints.removeIf(it -> InterruptionTaint.KEY.equals(it.getKey()));
        taint.map(InterruptionTaint::taint).ifPresent(taints::add);
        // The list is replaced as a whole, so it must be the one that was read.
        String patch = "{\"metadata\":{\"resourceVersion\":%s},\"spec\":{\"taints\":%s}}"
                .formatted(
                        Serialization.asJson(node.getMetadata().getResourceVersion()),
                        taints.isEmpty() ? "null" : Serialization.asJson(taints));
        return isDone(
                () -> client.nodes().withName(node.getMetadata().getName()).patch(MERGE, patch) != null);
    }

    /** Returns whether the pod ends now; a PodDisruptionBudget may refuse it, or the pod may be gone. */
    boolean evict(RunningPod pod, Duration grace) {
        return isDone(() -> client.pods()
                .inNamespace(pod.namespace())
                .withName(pod.name())
                .evict(new EvictionBuilder()
                        .withNewMetadata()
                        .withNamespace(pod.namespace())
                        .withName(pod.name())
                        .endMetadata()
                        .withDeleteOptions(new DeleteOptionsBuilder()
                                .withGracePeriodSeconds(grace.toSeconds())
                                .withNewPreconditions()
                                .withUid(pod.uid())
                                .endPreconditions()
                                .build())
                        .build()));
    }

    private static boolean isDone(BooleanSupplier call) {
        try {
            return call.getAsBoolean();
        } catch (KubernetesClientException refused) {
            if (LOST_RACES.contains(refused.getCode())) {
                return false;
            }
            throw refused;
        }
    }

    /** Whether requests may reach the pod's Revision; they may not if a Route that is up to date names it nowhere. */
    boolean isRouted(RunningPod pod) {
        Route route = client.resources(Route.class)
                .inNamespace(pod.namespace())
                .withName(pod.owner().name())
                .get();
        if (route == null || route.getStatus() == null) {
            return true;
        }
        boolean current = Objects.equals(
                        route.getMetadata().getGeneration(), route.getStatus().getObservedGeneration())
                && route.getStatus().getConditions().stream()
                        .anyMatch(it -> "Ready".equals(it.getType()) && "True".equals(it.getStatus()));
        return !current
                || route.getStatus().getTraffic().stream()
                        .filter(target -> Objects.requireNonNullElse(target.getPercent(), 0L) > 0)
                        .anyMatch(target -> pod.revision().equals(target.getRevisionName()));
    }

    /** When the kubelet last renewed the node's Lease; empty if unknown. */
    Optional<Instant> renewed(String node) {
        try {
            return Optional.ofNullable(client.leases()
                            .inNamespace(NODE_LEASES)
                            .withName(node)
                            .get())
                    .map(lease -> lease.getSpec().getRenewTime())
                    .map(ZonedDateTime::toInstant);
        } catch (KubernetesClientException unreadable) {
            return Optional.empty();
        }
    }
}
