package io.knabla.controller.knative.interruption;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.knabla.controller.knative.Informers;
import io.knabla.controller.knative.resource.Labels;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The PodDisruptionBudgets of a cluster: makes and deletes Knabla's, one for a Revision under its name, and watches
 * those of others.
 */
final class DrainBudgets implements AutoCloseable {
    private final KubernetesClient client;
    private final List<SharedIndexInformer<PodDisruptionBudget>> informers;

    /** Names a Revision. */
    record RevisionKey(String namespace, String name) {
        static RevisionKey of(RunningPod pod) {
            return new RevisionKey(pod.namespace(), pod.revision());
        }
    }

    private DrainBudgets(KubernetesClient client, List<String> namespaces) {
        this.client = client;
        var budgets = client.policy().v1().podDisruptionBudget();
        informers = namespaces.isEmpty()
                ? List.of(Informers.of(budgets.inAnyNamespace(), UnaryOperator.identity()))
                : namespaces.stream()
                        .map(name -> Informers.of(budgets.inNamespace(name), UnaryOperator.identity()))
                        .toList();
    }

    /** @param namespaces to watch; all if there are none */
    static DrainBudgets open(KubernetesClient client, List<String> namespaces) {
        var budgets = new DrainBudgets(client, namespaces);
        budgets.informers.forEach(SharedIndexInformer::start);
        return budgets;
    }

    /** Whether the first list has come; not if the controller may not read budgets. */
    boolean hasSynced() {
        return informers.stream().allMatch(SharedIndexInformer::hasSynced);
    }

    /** Revisions whose last spot replica is held. */
    Set<RevisionKey> held() {
        return all().filter(DrainBudgets::isOurs)
                .map(budget -> new RevisionKey(
                        budget.getMetadata().getNamespace(),
                        budget.getMetadata().getName()))
                .collect(Collectors.toSet());
    }

    /** Budgets that Knabla did not make. */
    List<PodDisruptionBudget> others() {
        return all().filter(budget -> !isOurs(budget)).toList();
    }

    /** Whether one of the budgets selects the pod. */
    static boolean select(List<PodDisruptionBudget> budgets, Pod pod) {
        Map<String, String> labels = labels(pod);
        return budgets.stream()
                .filter(budget -> budget.getMetadata()
                        .getNamespace()
                        .equals(pod.getMetadata().getNamespace()))
                .anyMatch(budget -> selects(budget.getSpec().getSelector(), labels));
    }

    private Stream<PodDisruptionBudget> all() {
        return informers.stream().flatMap(informer -> informer.getStore().list().stream());
    }

    private static boolean isOurs(PodDisruptionBudget budget) {
        return labels(budget).containsKey(Labels.DRAIN_HOLD);
    }

    private static Map<String, String> labels(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
    }

    /** An empty selector selects everything, none nothing. */
    private static boolean selects(LabelSelector selector, Map<String, String> labels) {
        return selector != null
                && Objects.requireNonNullElse(selector.getMatchLabels(), Map.<String, String>of()).entrySet().stream()
                        .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())))
                && Objects.requireNonNullElse(selector.getMatchExpressions(), List.<LabelSelectorRequirement>of())
                        .stream()
                        .allMatch(wanted -> isMet(wanted, Optional.ofNullable(labels.get(wanted.getKey()))));
    }

    private static boolean isMet(LabelSelectorRequirement wanted, Optional<String> value) {
        return switch (wanted.getOperator()) {
            case "In" -> value.filter(wanted.getValues()::contains).isPresent();
            case "NotIn" -> value.filter(wanted.getValues()::contains).isEmpty();
            case "Exists" -> value.isPresent();
            case "DoesNotExist" -> value.isEmpty();
            // Rather no hold than a pod that nobody can evict.
            default -> true;
        };
    }

    /**
     * Keeps one spot replica of the pod's Revision from being evicted.
     *
     * @param pod one of them; with its ReplicaSet the budget goes too
     */
    void hold(Pod pod) {
        RevisionKey revision =
                new RevisionKey(pod.getMetadata().getNamespace(), labels(pod).get(RunningPod.REVISION));
        try {
            client.resource(budget(revision, pod)).create();
        } catch (KubernetesClientException refused) {
            // The watch has not shown it yet.
            if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw refused;
            }
        }
    }

    private static PodDisruptionBudget budget(RevisionKey revision, Pod pod) {
        return new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withNamespace(revision.namespace())
                .withName(revision.name())
                .addToLabels(Labels.DRAIN_HOLD, "true")
                .addToLabels(Labels.FUNCTION, labels(pod).get(Labels.FUNCTION))
                .withOwnerReferences(owners(pod))
                .endMetadata()
                .withNewSpec()
                .withNewMinAvailable(1)
                .withUnhealthyPodEvictionPolicy("AlwaysAllow")
                .withNewSelector()
                .addToMatchLabels(RunningPod.REVISION, revision.name())
                .endSelector()
                .endSpec()
                .build();
    }

    private static List<OwnerReference> owners(Pod pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getOwnerReferences(), List.<OwnerReference>of()).stream()
                .map(owner -> new OwnerReferenceBuilder()
                        .withApiVersion(owner.getApiVersion())
                        .withKind(owner.getKind())
                        .withName(owner.getName())
                        .withUid(owner.getUid())
                        .build())
                .toList();
    }

    void release(RevisionKey revision) {
        client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(revision.namespace())
                .withName(revision.name())
                .delete();
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::close);
    }
}
