package io.knabla.controller.knative.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.io.IOException;
import java.util.List;

/** What a running replica's pod is held to, as Knative and the API server made it of our template. */
final class PodPromises {
    /** What AWS gives before it takes a spot node, in seconds. */
    private static final long SPOT_NOTICE = 120;

    private static final String REPLICA = "replica";
    private static final String PROXY = "queue-proxy";
    private static final String TOKENS = "/var/run/secrets/kubernetes.io/serviceaccount";

    private final Pod pod;

    PodPromises(Pod pod) {
        this.pod = pod;
    }

    /** On demand, as the suite's functions are: a test cluster's spot nodes only seem to run pods. */
    void isPlacedOnDemandAndSpreadOverZones() {
        assertThat(pod.getSpec().getTopologySpreadConstraints()).singleElement().satisfies(this::spreads);
        assertThat(pod.getSpec().getPriorityClassName()).isEqualTo("knabla-function");
        assertThat(pod.getSpec().getPriority()).isZero();
        assertThat(pod.getSpec().getPreemptionPolicy()).isEqualTo("Never");
        assertThat(pod.getSpec()
                        .getAffinity()
                        .getNodeAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .getNodeSelectorTerms())
                .singleElement()
                .satisfies(term -> assertThat(term.getMatchExpressions())
                        .extracting(PodPromises::text)
                        .contains(
                                "karpenter.sh/capacity-type NotIn [spot]",
                                "eks.amazonaws.com/capacityType NotIn [SPOT]",
                                "knabla.dev/pool NotIn [gpu]"));
        // The API server adds those for nodes that go.
        assertThat(pod.getSpec().getTolerations())
                .extracting(toleration -> toleration.getKey())
                .allMatch(key -> key.startsWith("node.kubernetes.io/"));
    }

    /** A constraint whose selector is not this pod's would count others. */
    private void spreads(TopologySpreadConstraint spread) {
        assertThat(spread.getTopologyKey()).isEqualTo("topology.kubernetes.io/zone");
        assertThat(spread.getMaxSkew()).isEqualTo(1);
        assertThat(spread.getWhenUnsatisfiable()).isEqualTo("ScheduleAnyway");
        assertThat(spread.getLabelSelector().getMatchLabels()).isNotEmpty();
        assertThat(pod.getMetadata().getLabels())
                .containsAllEntriesOf(spread.getLabelSelector().getMatchLabels());
    }

    private static String text(NodeSelectorRequirement requirement) {
        return "%s %s %s".formatted(requirement.getKey(), requirement.getOperator(), requirement.getValues());
    }

    void canDoNoHarm() {
        SecurityContext replica = container(REPLICA).getSecurityContext();
        assertThat(replica.getRunAsNonRoot()).isTrue();
        assertThat(replica.getRunAsUser()).isEqualTo(65532);
        assertThat(replica.getReadOnlyRootFilesystem()).isTrue();
        assertThat(replica.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        for (Container container : pod.getSpec().getContainers()) {
            SecurityContext context = container.getSecurityContext();
            assertThat(context.getAllowPrivilegeEscalation())
                    .as(container.getName())
                    .isFalse();
            assertThat(context.getCapabilities().getDrop())
                    .as(container.getName())
                    .containsExactly("ALL");
            assertThat(container.getVolumeMounts())
                    .as(container.getName())
                    .extracting(VolumeMount::getMountPath)
                    .doesNotContain(TOKENS);
        }
        assertThat(pod.getSpec().getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getSpec().getHostNetwork()).isNotEqualTo(true);
    }

    /** @param timeout of the function, in seconds */
    void endsWithinSpotsNotice(long timeout) {
        assertThat(pod.getSpec().getTerminationGracePeriodSeconds())
                .isEqualTo(timeout)
                .isLessThanOrEqualTo(SPOT_NOTICE);
    }

    /** Knative's queue-proxy asks, many times a second until the first yes; the kubelet asks that proxy. */
    void isProbedByQueueProxy() throws IOException {
        assertThat(container(REPLICA).getReadinessProbe()).isNull();
        assertThat(container(PROXY).getReadinessProbe()).isNotNull();
        JsonNode probe = Functions.JSON.readTree(environment(PROXY, "SERVING_READINESS_PROBE"));
        assertThat(probe.at("/httpGet/path").asText()).isEqualTo("/v2/health/ready");
        assertThat(probe.path("periodSeconds").asInt()).as(probe.toString()).isZero();
        assertThat(environment(PROXY, "CONTAINER_CONCURRENCY")).matches("[1-9][0-9]*");
    }

    private String environment(String container, String name) {
        List<EnvVar> variables = container(container).getEnv();
        return variables.stream()
                .filter(variable -> variable.getName().equals(name))
                .map(EnvVar::getValue)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in " + variables));
    }

    private Container container(String name) {
        return pod.getSpec().getContainers().stream()
                .filter(container -> container.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
