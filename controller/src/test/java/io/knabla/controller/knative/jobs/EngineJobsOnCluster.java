package io.knabla.controller.knative.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.knative.suite.PushedReplica;
import io.knabla.controller.knative.suite.SuiteOrder;
import io.knabla.controller.knative.suite.TestCluster;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner.EngineRequest;
import io.knabla.controller.platform.engine.EngineRunner.Limits;
import io.knabla.controller.platform.engine.EngineRunner.Mode;
import io.knabla.controller.standin.DefaultSettings;
import io.knabla.functions.unit.Digest;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Failing engine runs in real pods: their results, and that nothing of them is left. */
@Order(SuiteOrder.COMPUTES)
class EngineJobsOnCluster {
    private static final Digest UNIT = new Digest("sha256:" + "b".repeat(64));
    private static final Limits PLENTY =
            new Limits(Duration.ofMinutes(2), new MemoryLimit(512L << 20, MemoryLimit.Source.DEFAULT));

    @RegisterExtension
    static final TestCluster cluster = new TestCluster();

    private static String image;
    private static String namespace;

    @BeforeAll
    static void prepare() throws IOException {
        image = PushedReplica.image();
        namespace = cluster.namespace("engine");
    }

    private static EngineResult run(String image, Mode mode, Limits limits) {
        return run(namespace, image, mode, limits);
    }

    /** Uses a store that no pod can reach: every run ends before it reads a model. */
    private static EngineResult run(String place, String image, Mode mode, Limits limits) {
        var settings = DefaultSettings.with(Map.of("knabla.namespace", place, "knabla.cluster.image", image));
        var jobs = new EngineJobs(
                cluster.client(),
                settings,
                new StoreAccess(
                        "s3://bucket/prefix",
                        Map.of(
                                "AWS_ACCESS_KEY_ID", "id",
                                "AWS_SECRET_ACCESS_KEY", "key",
                                "AWS_REGION", "us-east-1",
                                "KNABLA_S3_ENDPOINT", "http://127.0.0.1:9",
                                "KNABLA_S3_ATTEMPTS", "1")),
                () -> UUID.randomUUID().toString().substring(0, 8),
                Clock.systemUTC());
        return jobs.run(new EngineRequest(mode, Optional.of(UNIT), 1, 1, limits));
    }

    @AfterEach
    void nothingIsLeft() {
        TestCluster.await().untilAsserted(() -> {
            var client = cluster.client();
            assertThat(client.batch().v1().jobs().inNamespace(namespace).list().getItems())
                    .isEmpty();
            assertThat(client.pods().inNamespace(namespace).list().getItems()).isEmpty();
            assertThat(client.secrets().inNamespace(namespace).list().getItems())
                    .isEmpty();
        });
    }

    @Test
    void anUnreachableStoreDoesNotJudgeTheModel() {
        assertThat(run(image, Mode.optimize, PLENTY))
                .isInstanceOfSatisfying(
                        EngineResult.Unavailable.class,
                        away -> assertThat(away.sentence()).contains("127.0.0.1:9"));
    }

    @Test
    void reportsARunThatTheKernelKilledForItsMemory() {
        var little = new MemoryLimit(24L << 20, MemoryLimit.Source.DEFAULT);
        // With so little memory a busy machine reads its program again and again before it takes too much.
        assertThat(run(image, Mode.check, new Limits(Duration.ofMinutes(10), little)))
                .isEqualTo(new EngineResult.TooLarge(little.bytes(), little));
    }

    @Test
    void aMissingImageDoesNotJudgeTheModel() {
        assertThat(run(TestCluster.registry() + "/knabla/replica:none", Mode.check, PLENTY))
                .isInstanceOfSatisfying(
                        EngineResult.NotRun.class,
                        notRun -> assertThat(notRun.why()).contains("knabla/replica:none"));
    }

    /** In a namespace of its own: the API server may apply a quota for a moment after it was deleted. */
    @Test
    void namesAQuotaThatForbidsJobs() {
        String full = cluster.namespace("quota");
        var quota = new ResourceQuotaBuilder()
                .withNewMetadata()
                .withName("none")
                .withNamespace(full)
                .endMetadata()
                .withNewSpec()
                .addToHard("count/jobs.batch", new Quantity("0"))
                .endSpec()
                .build();
        cluster.client().resource(quota).create();

        TestCluster.await()
                .untilAsserted(() -> assertThat(run(full, image, Mode.check, PLENTY))
                        .isInstanceOfSatisfying(
                                EngineResult.NotRun.class,
                                notRun -> assertThat(notRun.why()).contains("quota")));
    }
}
