package io.knabla.controller.knative;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import io.knabla.controller.knative.resource.FunctionObjectStatus.Replicas;
import io.knabla.controller.platform.FunctionStatus.Condition;
import io.knabla.controller.platform.FunctionStatus.Status;
import io.knabla.functions.spec.FunctionDefaults;
import io.knabla.functions.unit.Digest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The API reports the status that is stored in the resource; StatusBuilder's tests cover how it is built. */
@EnableKubernetesMockClient(https = false, crud = true)
class KnativeStatusTest {
    private static final FunctionId ID = new FunctionId("shop", "digits");

    KubernetesClient client;
    private KnativeView view;
    private FunctionStatusCache states;

    @BeforeEach
    void open() {
        view = KnativeView.open(client, List.of("shop"));
        states = FunctionStatusCache.open(client, List.of("shop"));
        await().until(view::hasSynced);
    }

    @AfterEach
    void close() {
        view.close();
        states.close();
    }

    @Test
    void readsTheStatusThatTheOperatorWrote() {
        client.resource(function(1, 1)).create();
        await().until(() -> states.open(ID).isPresent());

        Status status = new KnativeStatus(view, states).of(record(1));

        assertThat(status.readyVersion()).contains(1);
        assertThat(status.url()).contains("http://digits.shop.example");
        assertThat(status.onDemand()).isEqualTo(1);
        assertThat(status.spot()).isEqualTo(2);
        assertThat(status.conditions()).containsExactly(new Condition("Ready", "True", "Ready", "version 1 answers"));
    }

    @Test
    void ignoresConditionsOfAnOlderVersion() {
        client.resource(function(1, 1)).create();
        await().until(() -> states.open(ID).isPresent());

        Status status = new KnativeStatus(view, states).of(record(2));

        assertThat(status.readyVersion()).contains(1);
        assertThat(status.conditions())
                .extracting(Condition::status, Condition::reason)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("Unknown", "Reconciling"));
    }

    @Test
    void isUnknownWithoutAResource() {
        Status status = new KnativeStatus(view, states).of(record(1));

        assertThat(status.readyVersion()).isEmpty();
        assertThat(status.url()).isEqualTo(Optional.empty());
        assertThat(status.conditions()).extracting(Condition::status).containsExactly("Unknown");
    }

    private static FunctionObject function(long observed, int latest) {
        var function = new FunctionObject();
        function.setMetadata(new ObjectMetaBuilder()
                .withNamespace("shop")
                .withName("digits")
                .withGeneration(1L)
                .build());
        function.setStatus(new FunctionObjectStatus(
                observed,
                "http://digits.shop.example",
                null,
                latest,
                1,
                "cpu",
                new Replicas(1, 2),
                null,
                null,
                null,
                List.of(new ConditionBuilder()
                        .withType("Ready")
                        .withStatus("True")
                        .withReason("Ready")
                        .withMessage("version 1 answers")
                        .build())));
        return function;
    }

    private static FunctionRecord record(int versions) {
        var digest = new Digest("sha256:" + "0".repeat(64));
        return new FunctionRecord(
                ID,
                IntStream.rangeClosed(1, versions)
                        .mapToObj(number ->
                                new Version(number, FunctionDefaults.inference("m"), digest, digest, Instant.EPOCH))
                        .toList(),
                List.of(),
                "");
    }
}
