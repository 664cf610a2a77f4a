package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.machine.Architecture;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolObjectsTest {
    private final List<HasMetadata> objects = new PoolObjects(
                    new PodSettings(
                            "replica:1",
                            Optional.empty(),
                            Optional.empty(),
                            new StoreAccess(
                                    "s3://bucket",
                                    Map.of("AWS_ACCESS_KEY_ID", "id", "AWS_SECRET_ACCESS_KEY", "secret")),
                            Map.of(),
                            Architecture.ofThisProcess()),
                    new PoolObjects.Size(1L << 30, 512L << 20, 2))
            .of("team");

    @Test
    void allBelongToOneNamespaceAndCarryTheLabelThatFindsThem() {
        assertThat(objects).extracting(HasMetadata::getKind).containsExactly("Secret", "Configuration", "Route");
        assertThat(objects).allSatisfy(object -> {
            assertThat(object.getMetadata().getNamespace()).isEqualTo("team");
            assertThat(object.getMetadata().getName()).isEqualTo("knabla-pool");
            assertThat(object.getMetadata().getLabels()).containsKey("knabla.dev/wake-pool");
        });
    }

    @Test
    void theFrontAnswersForItsNamespaceWithinTheMemoryOfItsPod() {
        var pod = objects.stream()
                .filter(Configuration.class::isInstance)
                .map(Configuration.class::cast)
                .findFirst()
                .orElseThrow()
                .getSpec()
                .getTemplate()
                .getSpec();
        Container container = pod.getContainers().getFirst();

        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(container.getArgs()).endsWith("@/knabla/replica-s3.args", "pool");
        assertThat(container.getEnv())
                .contains(
                        new EnvVar("KNABLA_POOL_NAMESPACE", "team", null),
                        new EnvVar("KNABLA_POOL_MEMORY_MB", "768", null),
                        new EnvVar("KNABLA_POOL_HEAP_MB", "128", null),
                        new EnvVar("KNABLA_POOL_SPARES", "2", null))
                .noneMatch(variable -> variable.getName().contains("SECRET"));
        assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
    }
}
