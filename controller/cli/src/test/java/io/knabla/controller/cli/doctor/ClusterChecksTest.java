package io.knabla.controller.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.knabla.controller.cli.doctor.Finding.Grade;
import io.knabla.controller.knative.resource.Labels;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false, crud = true)
class ClusterChecksTest {
    KubernetesClient client;

    @Test
    void reportsMissingNodesAndKnative() {
        assertThat(grades("nodes")).hasValue(Grade.poor);
        assertThat(grades("Knative")).hasValue(Grade.bad);
    }

    @Test
    void readsSettingsFromKnativeConfigMaps() {
        map("config-features", Map.of("kubernetes.podspec-affinity", "enabled"));
        map("config-defaults", Map.of("max-revision-timeout-seconds", "1200"));
        map("config-autoscaler", Map.of("enable-scale-to-zero", "false"));
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("n")
                        .addToLabels("karpenter.sh/capacity-type", "spot")
                        .endMetadata()
                        .withNewStatus()
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build())
                .create();

        assertThat(find("nodes")).hasValueSatisfying(n -> assertThat(n.found()).isEqualTo("cpu-spot"));
        assertThat(find("Knative"))
                .hasValueSatisfying(k -> assertThat(k.found()).isEqualTo("1.22.0"));
        assertThat(grades("node affinity")).hasValue(Grade.good);
        assertThat(grades("tolerations")).hasValue(Grade.bad);
        assertThat(grades("topology spread")).hasValue(Grade.poor);
        assertThat(grades("scale to zero")).hasValue(Grade.poor);
        assertThat(find("timeout"))
                .hasValueSatisfying(t -> assertThat(t.found()).contains("up to 1200 s"));
    }

    @Test
    void commandsNameTheCheckedContext() {
        map("config-features", Map.of());

        assertThat(new ClusterChecks(client, "prod").findings())
                .filteredOn(finding -> finding.fix().contains("kubectl"))
                .hasSizeGreaterThan(2)
                .allSatisfy(finding -> assertThat(finding.fix()).startsWith("kubectl --context prod "));
    }

    @Test
    void reportsControllerThatDoesNotRun() {
        assertThat(grades("Function")).hasValue(Grade.good);
        assertThat(grades("controller")).hasValue(Grade.bad);

        client.resource(controller("False")).create();
        assertThat(find("controller"))
                .hasValueSatisfying(c -> assertThat(c.found()).startsWith("none of its 1 pods"));

        client.resource(controller("True")).update();
        assertThat(grades("controller")).hasValue(Grade.good);
    }

    @Test
    void warnsOfADrainThatWaitsForLong() {
        assertThat(grades("drains")).hasValue(Grade.good);
        client.resource(new PodDisruptionBudgetBuilder()
                        .withNewMetadata()
                        .withNamespace("shop")
                        .withName("digits-1")
                        .addToLabels(Labels.DRAIN_HOLD, "true")
                        .endMetadata()
                        .withNewSpec()
                        .withNewSelector()
                        .addToMatchLabels("revision", "digits-1")
                        .endSelector()
                        .endSpec()
                        .build())
                .create();
        client.resource(new PodBuilder(controller("True"))
                        .editMetadata()
                        .withNamespace("shop")
                        .addToLabels("revision", "digits-1")
                        .addToLabels(Labels.FUNCTION, "digits")
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("n")
                        .endSpec()
                        .build())
                .create();
        client.resource(cordoned(Instant.now().minusSeconds(60))).create();
        assertThat(grades("drains")).as("for a minute").hasValue(Grade.good);

        client.resource(cordoned(Instant.now().minusSeconds(301))).update();
        assertThat(find("drains")).hasValueSatisfying(drains -> {
            assertThat(drains.grade()).isEqualTo(Grade.poor);
            assertThat(drains.fix()).contains("delete poddisruptionbudget -n shop digits-1");
        });
    }

    private static Node cordoned(Instant since) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n")
                .endMetadata()
                .withNewSpec()
                .withUnschedulable(true)
                .addNewTaint()
                .withKey("node.kubernetes.io/unschedulable")
                .withEffect("NoSchedule")
                .withTimeAdded(since.toString())
                .endTaint()
                .endSpec()
                .build();
    }

    private static Pod controller(String ready) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("knabla-system")
                .withName("c")
                .addToLabels("app.kubernetes.io/name", "knabla-controller")
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready)
                .endCondition()
                .endStatus()
                .build();
    }

    private void map(String name, Map<String, String> data) {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("knative-serving")
                        .withName(name)
                        .addToLabels("app.kubernetes.io/version", "1.22.0")
                        .endMetadata()
                        .withData(data)
                        .build())
                .create();
    }

    private Optional<Grade> grades(String check) {
        return find(check).map(Finding::grade);
    }

    private Optional<Finding> find(String check) {
        return new ClusterChecks(client, "prod")
                .findings().stream()
                        .filter(finding -> finding.check().equals(check))
                        .findFirst();
    }

    @Nested
    @EnableKubernetesMockClient
    class WithoutPermission {
        KubernetesMockServer server;
        KubernetesClient stranger;

        @Test
        void reportsMissingRights() {
            server.expect().get().withPath("/api/v1/nodes").andReturn(403, "").always();

            assertThat(new ClusterChecks(stranger, "prod").findings()).last().satisfies(finding -> {
                assertThat(finding.check()).isEqualTo("rights");
                assertThat(finding.grade()).isEqualTo(Grade.bad);
            });
        }
    }
}
