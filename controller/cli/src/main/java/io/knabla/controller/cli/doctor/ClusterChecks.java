package io.knabla.controller.cli.doctor;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.knabla.controller.cli.doctor.Finding.Grade;
import io.knabla.controller.cli.kube.ApiServerErrors;
import io.knabla.controller.knative.capacity.AvailableCapacity;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.preflight.Check;
import io.knabla.controller.knative.preflight.InstallationReader;
import io.knabla.controller.knative.preflight.Preflight;
import io.knabla.controller.knative.resource.Labels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Checks whether a cluster meets the requirements of Knabla, in the order of repair; changes nothing.
 *
 * @param context name of the kubeconfig context, added to each command that fixes a problem
 */
public record ClusterChecks(KubernetesClient client, String context) {
    private static final String KUBERNETES = "Kubernetes";
    private static final String CONTROLLER = "knabla-controller";
    private static final String KUBECTL = "kubectl ";

    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        try {
            findings.add(Finding.good(KUBERNETES, client.getKubernetesVersion().getGitVersion()));
            findings.add(nodes());
            Preflight.of(InstallationReader.read(client)).stream()
                    .map(ClusterChecks::finding)
                    .forEach(findings::add);
            findings.add(functions());
            if (findings.getLast().grade() == Grade.good) {
                List<Pod> controllers = controllers();
                findings.add(controller(controllers));
                findings.add(DrainHoldCheck.of(client, Instant.now()));
                controllers.stream()
                        .findFirst()
                        .map(pod -> AccountRights.of(client, pod))
                        .ifPresent(findings::add);
            }
        } catch (KubernetesClientException refused) {
            findings.add(refused(refused));
        }
        return findings.stream().map(this::withContext).toList();
    }

    private Finding withContext(Finding finding) {
        return finding.fix().startsWith(KUBECTL)
                ? new Finding(
                        finding.check(),
                        finding.grade(),
                        finding.found(),
                        "kubectl --context %s %s"
                                .formatted(context, finding.fix().substring(KUBECTL.length())))
                : finding;
    }

    /** Capacity of the existing nodes; nodes that Karpenter could add are not counted. */
    private Finding nodes() {
        AvailableCapacity supply = AvailableCapacity.of(client.nodes().list().getItems(), List.of());
        String found =
                supply.slots().stream().map(CapacitySlot::toString).sorted().collect(Collectors.joining(", "));
        return supply.slots().isEmpty()
                ? Finding.poor("nodes", "none is ready", "add a node, or a pool that brings some")
                : Finding.good("nodes", found);
    }

    private Finding functions() {
        return client.hasApiGroup(Labels.GROUP, true)
                ? Finding.good("Function", "the cluster knows the resource")
                : Finding.bad(
                        "Function",
                        "the cluster does not know the resource functions." + Labels.GROUP,
                        "kubectl apply -k k8s/overlays/local, or overlays/aws");
    }

    private List<Pod> controllers() {
        return client.pods()
                .inAnyNamespace()
                .withLabel("app.kubernetes.io/name", CONTROLLER)
                .list()
                .getItems();
    }

    /** Without a controller, Functions are stored but not reconciled. */
    private static Finding controller(List<Pod> pods) {
        long ready = pods.stream().filter(Readiness::isPodReady).count();
        return ready > 0
                ? Finding.good("controller", "%d of %d pods are ready".formatted(ready, pods.size()))
                : Finding.bad(
                        "controller",
                        "none of its %d pods is ready, so Functions are not reconciled".formatted(pods.size()),
                        "kubectl get deployments,pods -A -l app.kubernetes.io/name=" + CONTROLLER);
    }

    private static Finding finding(Check check) {
        Grade grade = switch (check.grade()) {
            case Good -> Grade.good;
            case Poor -> Grade.poor;
            case Bad -> Grade.bad;
        };
        return new Finding(check.name(), grade, check.found(), check.cure());
    }

    private Finding refused(KubernetesClientException refused) {
        return refused.getCode() == 403 || refused.getCode() == 401
                ? Finding.bad(
                        "rights",
                        String.valueOf(refused.getMessage()),
                        "use a context that may read nodes and the ConfigMaps of knative-serving")
                : Finding.bad(
                        KUBERNETES,
                        refused.getCode() > 0
                                ? String.valueOf(refused.getMessage())
                                : "no answer from %s: %s"
                                        .formatted(client.getMasterUrl(), ApiServerErrors.cause(refused)),
                        "check that the cluster runs and that the context points to it: kubectl cluster-info --context "
                                + context);
    }
}
