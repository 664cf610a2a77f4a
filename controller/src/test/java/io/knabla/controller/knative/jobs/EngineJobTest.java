package io.knabla.controller.knative.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.machine.Architecture;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.platform.engine.EngineRunner.EngineRequest;
import io.knabla.controller.platform.engine.EngineRunner.Limits;
import io.knabla.controller.platform.engine.EngineRunner.Mode;
import io.knabla.functions.unit.Digest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EngineJobTest {
    private static final Digest UNIT = new Digest("sha256:" + "a".repeat(64));

    private static EngineJob job(Map<String, String> store) {
        return job(store, Mode.check);
    }

    private static EngineJob job(Map<String, String> store, Mode mode) {
        return new EngineJob(
                "knabla-check-x",
                "system",
                "registry/replica:1",
                Optional.of("checker"),
                new Architecture("arm64"),
                new StoreAccess("s3://bucket/prefix", store),
                new EngineRequest(
                        mode,
                        Optional.of(UNIT),
                        1,
                        8,
                        new Limits(Duration.ofSeconds(60), new MemoryLimit(2L << 30, MemoryLimit.Source.DEFAULT))));
    }

    @Test
    void hasADeadlineAndNoRetries() {
        var spec = job(Map.of()).job().getSpec();
        assertThat(spec.getBackoffLimit()).isZero();
        assertThat(spec.getActiveDeadlineSeconds()).isEqualTo(360);
        assertThat(spec.getTtlSecondsAfterFinished()).isEqualTo(600);
        assertThat(spec.getTemplate().getSpec().getRestartPolicy()).isEqualTo("Never");
    }

    @Test
    void restrictsThePodForAHostileModel() {
        PodSpec pod = job(Map.of()).job().getSpec().getTemplate().getSpec();
        Container container = pod.getContainers().getFirst();
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getServiceAccountName()).isEqualTo("checker");
        assertThat(container.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(container.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
        assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(container.getResources().getLimits()).containsEntry("memory", new Quantity("2147483648"));
        assertThat(container.getArgs()).endsWith("@/knabla/replica-s3.args", "check");
    }

    @Test
    void measuresRangesUnderTheLimitsOfACheck() {
        Container check = container(job(Map.of(), Mode.check));
        Container ranges = container(job(Map.of(), Mode.quantizeRanges));

        assertThat(ranges.getArgs()).endsWith("@/knabla/replica-s3.args", "quantize-ranges");
        assertThat(ranges.getEnv()).contains(new EnvVar("KNABLA_UNIT", UNIT.value(), null));
        assertThat(ranges.getEnv()).isEqualTo(check.getEnv());
        assertThat(ranges.getResources()).isEqualTo(check.getResources());
        assertThat(ranges.getSecurityContext()).isEqualTo(check.getSecurityContext());
    }

    private static Container container(EngineJob job) {
        return job.job().getSpec().getTemplate().getSpec().getContainers().getFirst();
    }

    @Test
    void putsKeysIntoASecretOwnedByTheJobAndTheRestIntoPlainVariables() {
        EngineJob job = job(Map.of(
                "AWS_ACCESS_KEY_ID", "id",
                "AWS_SECRET_ACCESS_KEY", "key",
                "AWS_REGION", "eu-central-1"));
        Job created = new JobBuilder(job.job())
                .editMetadata()
                .withUid("1-2-3")
                .endMetadata()
                .build();

        assertThat(job.secret(created)).hasValueSatisfying(secret -> {
            assertThat(secret.getStringData()).containsOnlyKeys("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
            assertThat(secret.getMetadata().getOwnerReferences())
                    .singleElement()
                    .satisfies(owner -> {
                        assertThat(owner.getKind()).isEqualTo("Job");
                        assertThat(owner.getUid()).isEqualTo("1-2-3");
                    });
        });
        Container container =
                created.getSpec().getTemplate().getSpec().getContainers().getFirst();
        assertThat(container.getEnv())
                .contains(new EnvVar("AWS_REGION", "eu-central-1", null))
                .contains(new EnvVar("KNABLA_UNIT", UNIT.value(), null))
                .contains(new EnvVar("KNABLA_BATCH_MAX_SIZE", "8", null))
                .extracting(EnvVar::getValue)
                .doesNotContain("id", "key");
        assertThat(container.getEnvFrom())
                .extracting(from -> from.getSecretRef().getName())
                .containsExactly("knabla-check-x");
    }

    @Test
    void selectsNodesOfTheArchitectureOfItsImage() {
        assertThat(job(Map.of()).job().getSpec().getTemplate().getSpec().getNodeSelector())
                .containsOnly(Map.entry("kubernetes.io/arch", "arm64"), Map.entry("kubernetes.io/os", "linux"));
    }

    @Test
    void needsNoSecretWithARole() {
        assertThat(job(Map.of("AWS_REGION", "eu-central-1"))
                        .secret(job(Map.of()).job()))
                .isEmpty();
    }
}
