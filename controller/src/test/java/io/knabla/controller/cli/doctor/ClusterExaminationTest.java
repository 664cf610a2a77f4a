package io.knabla.controller.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.knabla.controller.cli.doctor.Finding.Grade;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true)
class ClusterExaminationTest {
    KubernetesClient client;

    @Test
    void aBareClusterLacksNodesAndKnative() {
        assertThat(grades("nodes")).hasValue(Grade.poor);
        assertThat(grades("Knative")).hasValue(Grade.bad);
    }

    @Test
    void eachSettingIsReadFromKnativesMaps() {
        map("config-features", Map.of("kubernetes.podspec-affinity", "enabled"));
        map("config-defaults", Map.of("max-revision-timeout-seconds", "1200"));
        map("config-autoscaler", Map.of("enable-scale-to-zero", "false"));
        client.resource(
                        new NodeBuilder()
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

        assertThat(find("nodes"))
                .hasValueSatisfying(n -> assertThat(n.found()).isEqualTo("cpu-spot"));
        assertThat(find("Knative"))
                .hasValueSatisfying(k -> assertThat(k.found()).isEqualTo("1.22.0"));
        assertThat(grades("node affinity")).hasValue(Grade.good);
        assertThat(grades("tolerations")).hasValue(Grade.bad);
        assertThat(grades("topology spread")).hasValue(Grade.poor);
        assertThat(grades("scale to zero")).hasValue(Grade.poor);
        assertThat(find("timeout"))
                .hasValueSatisfying(t -> assertThat(t.found()).contains("up to 1200 s"));
    }

    private void map(String name, Map<String, String> data) {
        client.resource(
                        new ConfigMapBuilder()
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
        return new ClusterExamination(client)
                .findings().stream().filter(finding -> finding.check().equals(check)).findFirst();
    }

    @Nested
    @EnableKubernetesMockClient
    class WhoMayNotLook {
        KubernetesMockServer server;
        KubernetesClient stranger;

        @Test
        void isToldSo() {
            server.expect().get().withPath("/api/v1/nodes").andReturn(403, "").always();

            assertThat(new ClusterExamination(stranger).findings())
                    .last()
                    .satisfies(
                            finding -> {
                                assertThat(finding.check()).isEqualTo("rights");
                                assertThat(finding.grade()).isEqualTo(Grade.bad);
                            });
        }
    }
}
