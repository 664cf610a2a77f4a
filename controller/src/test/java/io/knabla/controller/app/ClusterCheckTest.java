package io.knabla.controller.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.settings.SettingNames;
import io.knabla.storage.settings.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterCheckTest {
    private static final Map<String, String> POD = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    private static final Map<String, String> COMPLETE = Map.of(
            "cluster.kind", "Knative",
            "cluster.image", "registry/knabla/replica:1",
            "store", "s3://bucket/prefix");

    @TempDir
    Path folder;

    private static List<String> faults(Map<String, String> settings, Map<String, String> environment) {
        Map<String, String> variables = new HashMap<>();
        settings.forEach((key, value) -> variables.put(SettingNames.variable(key), value));
        SettingsReader reader = SettingsReader.of(variables);
        ClusterCheck.check(reader, environment);
        return reader.faults();
    }

    @Test
    void requiresNothingOnALaptop() {
        assertThat(faults(Map.of(), Map.of())).isEmpty();
        assertThat(faults(Map.of("cluster.kind", "Local"), Map.of())).isEmpty();
    }

    @Test
    void acceptsACompletePod() {
        assertThat(faults(COMPLETE, POD)).isEmpty();
    }

    @Test
    void reportsEverythingMissingAtOnceWithTheRemedy() {
        Path config = folder.resolve("none");
        assertThat(faults(
                        Map.of(
                                "cluster.kind", "Knative",
                                "store", "file:///tmp/store"),
                        Map.of("KUBECONFIG", config.toString())))
                .satisfiesExactly(
                        image -> assertThat(image).contains("KNABLA_CLUSTER_IMAGE", "./knabla images --push"),
                        store -> assertThat(store).contains("'file:///tmp/store'", "s3://bucket/prefix"),
                        cluster -> assertThat(cluster).contains("KUBECONFIG names " + config));
    }

    @Test
    void namesTheMissingKubeconfig() throws IOException {
        Path there = Files.createFile(folder.resolve("there"));
        assertThat(faults(COMPLETE, Map.of("KUBECONFIG", there + ":" + folder.resolve("absent"))))
                .singleElement()
                .asString()
                .contains("/absent,")
                .doesNotContain("/there");
        assertThat(faults(COMPLETE, Map.of("KUBECONFIG", there.toString()))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    knative    | Write Knative.
                    LOCAL      | Write Local.
                    Kubernetes | Write Knative, which is how Knabla runs functions on Kubernetes.
                    Nomad      | Write one of them, or leave it out for Local.
                    """)
    void suggestsTheMeantKind(String kind, String meant) {
        assertThat(faults(Map.of("cluster.kind", kind), Map.of()))
                .containsExactly(
                        "KNABLA_CLUSTER_KIND is '%s'; allowed are Local and Knative. %s".formatted(kind, meant));
    }

    private static List<String> with(String name, String value) {
        Map<String, String> settings = new HashMap<>(COMPLETE);
        settings.put(name, value);
        return faults(settings, POD);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    cluster.image      | registry/knabla/replica        | KNABLA_CLUSTER_IMAGE is 'registry/knabla/replica', without a tag
                    cluster.image      | 127.0.0.1:5000/replica         | without a tag
                    cluster.image      | not//valid:1                   | no name of an image
                    cluster.image      | registry/Replica:1             | no name of an image
                    cluster.image      | registry/replica@sha256:1      | no name of an image
                    cluster.gpu-image  | replica                        | KNABLA_CLUSTER_GPU_IMAGE is 'replica', without a tag
                    cluster.gpu-share-resource | gpu.example.com/claim | KNABLA_CLUSTER_GPU_SHARE_RESOURCE is 'gpu.example.com/claim'; allowed are nvidia.com/gpu, nvidia.com/gpu.shared and the resources of MIG such as nvidia.com/mig-1g.10gb. Claims and device classes of DRA cannot be used
                    cluster.namespaces | Bad_Name,,x                    | KNABLA_CLUSTER_NAMESPACES names 'Bad_Name' and ''; allowed are
                    cluster.namespaces | a, b                           | names ' b'; allowed are
                    cluster.namespaces[0] | B                           | KNABLA_CLUSTER_NAMESPACES names 'B'; allowed are
                    cluster.priority-class | Very Important             | KNABLA_CLUSTER_PRIORITY_CLASS is 'Very Important'; allowed is
                    cluster.check-account  | -me                        | KNABLA_CLUSTER_CHECK_ACCOUNT is '-me'; allowed is
                    cluster.service-account-annotations | nonsense      | KNABLA_CLUSTER_SERVICE_ACCOUNT_ANNOTATIONS is wrong: 'nonsense' is no key=value; write such as
                    """)
    void rejectsValuesThatKubernetesWouldReject(String name, String value, String told) {
        assertThat(with(name, value)).singleElement().asString().contains(told);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    cluster.image      | replica:latest
                    cluster.image      | 127.0.0.1:5000/team/knabla/replica:0.1-a_B
                    cluster.image      | 111122223333.dkr.ecr.eu-central-1.amazonaws.com/knabla/replica@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
                    cluster.namespaces | team-a,team-b,0
                    cluster.priority-class | knabla-function.example
                    cluster.service-account-annotations | eks.amazonaws.com/role-arn=arn:aws:iam::111122223333:role/replica;a=b=c
                    """)
    void acceptsValuesThatKubernetesAccepts(String name, String value) {
        assertThat(with(name, value)).isEmpty();
    }

    @Test
    void reportsAllWrongValuesAtOnce() {
        Map<String, String> settings = new HashMap<>(COMPLETE);
        settings.put("cluster.image", "replica");
        settings.put("cluster.namespaces", "A,b");
        settings.put("cluster.service-account-annotations", "x");
        settings.put("store", "file:///tmp");
        assertThat(faults(settings, POD)).hasSize(4);
    }
}
