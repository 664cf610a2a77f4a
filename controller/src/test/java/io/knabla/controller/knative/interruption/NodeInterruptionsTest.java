package io.knabla.controller.knative.interruption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.knative.signal.InterruptionTaint;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.standin.ToyWorkload;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On Fabric8's mock server, which knows no evictions. */
@EnableKubernetesMockClient(https = false, crud = true)
class NodeInterruptionsTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
    private static final FunctionId DIGITS = new FunctionId("shop", "digits");
    private static final String RECOMMENDED = "aws-node-termination-handler/rebalance-recommendation";

    KubernetesClient client;
    private final List<FunctionId> changed = new ArrayList<>();
    private KnativeView view;
    private NodeInterruptions interruptions;
    private boolean leads = true;

    @BeforeEach
    void open() {
        view = KnativeView.open(client, List.of());
        var calls = new InterruptionCalls(client);
        var reports = new MoveReports((_, _, _) -> {}, new PlacementReasons(), new SimpleMeterRegistry());
        var holds = new DrainHolds(DrainBudgets.open(client, List.of()), calls, reports, Duration.ofMinutes(2));
        interruptions = new NodeInterruptions(
                view,
                new CapacitySignals(),
                new NodeInterruptions.Actions(calls, reports, holds, () -> {}),
                () -> NOW,
                () -> leads,
                new NodeInterruptions.Options(Duration.ofMinutes(3), true));
        interruptions.onChange(changed::add);
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("a")
                        .endMetadata()
                        .withNewSpec()
                        .addNewTaint("NoSchedule", RECOMMENDED, null, null)
                        .endSpec()
                        .build())
                .create();
        client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace("shop")
                        .withName("digits-1")
                        .withLabels(Map.of(
                                Labels.FUNCTION, "digits",
                                Labels.VERSION, "1",
                                Labels.POOL, "cpu",
                                Labels.CAPACITY, "spot"))
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("a")
                        .endSpec()
                        .withNewStatus()
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build())
                .create();
        await().until(() -> view.node("a").isPresent() && !view.podObjects().isEmpty() && view.hasSynced());
    }

    @AfterEach
    void close() {
        interruptions.close();
        view.close();
    }

    @Test
    void aRecommendedNodeIsTaintedUntilItsSignalEnds() {
        interruptions.round();
        await().until(() -> taint().isPresent());
        assertThat(interruptions.minimum(DIGITS, 1)).isEqualTo(2);
        assertThat(changed).containsExactly(DIGITS);

        client.nodes()
                .withName("a")
                .edit(node -> new NodeBuilder(node)
                        .editSpec()
                        .removeMatchingFromTaints(taint -> RECOMMENDED.equals(taint.getKey()))
                        .endSpec()
                        .build());
        await().until(() -> view.node("a").orElseThrow().getSpec().getTaints().size() == 1);
        interruptions.round();
        await().until(() -> taint().isEmpty());
        assertThat(interruptions.minimum(DIGITS, 1)).isZero();
    }

    @Test
    void aNodeWithAPodOfAnotherKindOfObjectIsTaintedToo() {
        client.pods().inNamespace("shop").withName("digits-1").delete();
        client.resource(ToyWorkload.pod("a", NOW)).create();
        await().until(() -> view.podObjects().stream()
                .map(pod -> pod.getMetadata().getName())
                .toList()
                .equals(List.of(ToyWorkload.NAME)));

        interruptions.round();
        await().until(() -> taint().isPresent());
        assertThat(changed).as("no function needs a replica for it").isEmpty();
    }

    @Test
    void onlyTheLeaderActs() {
        leads = false;
        interruptions.round();
        assertThat(InterruptionTaint.of(client.nodes().withName("a").get())).isEmpty();
        assertThat(interruptions.minimum(DIGITS, 1)).isZero();
    }

    private Optional<InterruptionTaint> taint() {
        return InterruptionTaint.of(view.node("a").orElseThrow());
    }
}
