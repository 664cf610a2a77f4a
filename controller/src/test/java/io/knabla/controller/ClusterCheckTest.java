package io.knabla.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterCheckTest {
    private static final Map<String, String> POD = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    private static final Map<String, String> COMPLETE =
            Map.of(
                    "cluster.kind", "Knative",
                    "cluster.image", "registry/knabla/replica:1",
                    "store", "s3://bucket/prefix");

    @TempDir Path folder;

    private static List<String> faults(
            Map<String, String> settings, Map<String, String> environment) {
        return ClusterCheck.faults(name -> Optional.ofNullable(settings.get(name)), environment);
    }

    @Test
    void aLaptopNeedsNothingOfIt() {
        assertThat(faults(Map.of(), Map.of())).isEmpty();
        assertThat(faults(Map.of("cluster.kind", "Local"), Map.of())).isEmpty();
    }

    @Test
    void aPodWithAllOfItMayStart() {
        assertThat(faults(COMPLETE, POD)).isEmpty();
    }

    @Test
    void allThatIsMissingIsToldAtOnceWithTheCure() {
        Path config = folder.resolve("none");
        assertThat(
                        faults(
                                Map.of(
                                        "cluster.kind", "Knative",
                                        "store", "file:///tmp/store"),
                                Map.of("KUBECONFIG", config.toString())))
                .satisfiesExactly(
                        image ->
                                assertThat(image)
                                        .contains("KNABLA_CLUSTER_IMAGE", "./knabla images --push"),
                        store ->
                                assertThat(store)
                                        .contains("'file:///tmp/store'", "s3://bucket/prefix"),
                        cluster -> assertThat(cluster).contains("KUBECONFIG names " + config));
    }

    @Test
    void oneOfSeveralKubeconfigsThatIsAbsentIsNamed() throws IOException {
        Path there = Files.createFile(folder.resolve("there"));
        assertThat(faults(COMPLETE, Map.of("KUBECONFIG", there + ":" + folder.resolve("absent"))))
                .singleElement()
                .asString()
                .contains("/absent,")
                .doesNotContain("/there");
        assertThat(faults(COMPLETE, Map.of("KUBECONFIG", there.toString()))).isEmpty();
    }

    @Test
    void aKindThatDoesNotExistIsRefusedWithThoseThatDo() {
        assertThat(faults(Map.of("cluster.kind", "knative"), Map.of()))
                .containsExactly("KNABLA_CLUSTER_KIND is 'knative'; allowed are Local and Knative");
    }
}
