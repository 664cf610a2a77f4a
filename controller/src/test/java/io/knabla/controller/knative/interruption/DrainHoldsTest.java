package io.knabla.controller.knative.interruption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.RouteBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.capacity.SpotRoom;
import io.knabla.controller.knative.interruption.DrainBudgets.RevisionKey;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.knative.signal.InterruptionTaint;
import io.knabla.controller.knative.signal.InterruptionTaint.Cause;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.platform.PlacementReasons;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Spot node {@code a} with the only replica of a function, on Fabric8's mock server. */
@EnableKubernetesMockClient(https = false, crud = true)
class DrainHoldsTest {
    private static final FunctionId DIGITS = new FunctionId("shop", "digits");
    private static final String REVISION = "digits-spot-00001";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Instant now = Instant.parse("2026-11-23T12:00:00Z");
    private final List<String> events = new CopyOnWriteArrayList<>();
    KubernetesClient client;
    private KnativeView view;
    private DrainBudgets budgets;
    private NodeInterruptions interruptions;

    @BeforeEach
    void open() {
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("a")
                        .addToLabels("karpenter.sh/capacity-type", "spot")
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .withNewStatus()
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build())
                .create();
        client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace("shop")
                        .withName("digits-1")
                        .withUid("u1")
                        .withLabels(Map.of(
                                Labels.FUNCTION, "digits",
                                Labels.VERSION, "1",
                                Labels.POOL, "cpu",
                                Labels.CAPACITY, "spot",
                                RunningPod.REVISION, REVISION))
                        .addNewOwnerReference()
                        .withApiVersion("apps/v1")
                        .withKind("ReplicaSet")
                        .withName("rs")
                        .withUid("u2")
                        .withController(true)
                        .withBlockOwnerDeletion(true)
                        .endOwnerReference()
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
        view = KnativeView.open(client, List.of());
        budgets = DrainBudgets.open(client, List.of());
        await().until(() -> view.node("a").isPresent() && !view.podObjects().isEmpty() && budgets.hasSynced());
        awaitWatchOfBudgets();
        interruptions = interruptions(LIMIT, true);
    }

    /**
     * A watch begins after the list that it continues. Of what happens between the two a real API server tells it, this
     * one does not.
     */
    private void awaitWatchOfBudgets() {
        var made = new AtomicInteger();
        await().until(() -> {
            client.resource(new PodDisruptionBudgetBuilder()
                            .withNewMetadata()
                            .withNamespace("elsewhere")
                            .withName("seen-" + made.incrementAndGet())
                            .endMetadata()
                            .build())
                    .create();
            return !budgets.others().isEmpty();
        });
        client.policy().v1().podDisruptionBudget().inNamespace("elsewhere").delete();
        await().until(() -> budgets.others().isEmpty());
    }

    private NodeInterruptions interruptions(Duration limit, boolean acts) {
        var calls = new InterruptionCalls(client);
        var reports = new MoveReports(
                (_, reason, _) -> events.add(reason), new PlacementReasons(), new SimpleMeterRegistry());
        return new NodeInterruptions(
                view,
                new CapacitySignals(),
                new NodeInterruptions.Actions(calls, reports, new DrainHolds(budgets, calls, reports, limit), () -> {}),
                () -> now,
                () -> true,
                new NodeInterruptions.Options(Duration.ofMinutes(3), acts));
    }

    @AfterEach
    void close() {
        interruptions.close();
        view.close();
    }

    private boolean isHeld() {
        return budgets.held().contains(new RevisionKey("shop", REVISION));
    }

    private void cordon(boolean cordoned) {
        client.nodes()
                .withName("a")
                .edit(node -> new NodeBuilder(node)
                        .editSpec()
                        .withUnschedulable(cordoned)
                        .endSpec()
                        .build());
        await().until(() -> cordoned
                == Boolean.TRUE.equals(view.node("a").orElseThrow().getSpec().getUnschedulable()));
    }

    private void heldAndCordoned() {
        interruptions.round();
        await().until(this::isHeld);
        cordon(true);
        interruptions.round();
        await().until(() -> InterruptionTaint.of(node()).isPresent());
    }

    private Node node() {
        return view.node("a").orElseThrow();
    }

    private void route(String revision, long observed) {
        // The mock server counts the generation itself, from 1.
        client.resources(Route.class).inNamespace("shop").withName("digits").delete();
        client.resource(new RouteBuilder()
                        .withNewMetadata()
                        .withNamespace("shop")
                        .withName("digits")
                        .endMetadata()
                        .withNewStatus()
                        .withObservedGeneration(observed)
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .addNewTraffic()
                        .withRevisionName(REVISION)
                        .withTag("v1")
                        .endTraffic()
                        .addNewTraffic()
                        .withRevisionName(revision)
                        .withPercent(100L)
                        .endTraffic()
                        .endStatus()
                        .build())
                .create();
        now = now.plusSeconds(2);
    }

    @Test
    void theBudgetHoldsOneReplicaOfTheRevisionAndGoesWithItsReplicaSet() {
        interruptions.round();
        await().until(this::isHeld);
        interruptions.round();

        PodDisruptionBudget budget = client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace("shop")
                .withName(REVISION)
                .get();
        assertThat(budget.getSpec().getMinAvailable().getIntVal()).isEqualTo(1);
        assertThat(budget.getSpec().getSelector().getMatchLabels()).isEqualTo(Map.of(RunningPod.REVISION, REVISION));
        // Nobody needs the right to finalize ReplicaSets for it.
        assertThat(budget.getMetadata().getOwnerReferences()).singleElement().satisfies(owner -> {
            assertThat(owner.getUid()).isEqualTo("u2");
            assertThat(owner.getBlockOwnerDeletion()).isNull();
        });
    }

    @Test
    void aCordonStartsAReplacementAndItsEndIsForgotten() {
        heldAndCordoned();
        assertThat(InterruptionTaint.of(node())).hasValueSatisfying(taint -> {
            assertThat(taint.cause()).isEqualTo(Cause.CORDONED);
            assertThat(taint.until()).isEqualTo(now.plus(LIMIT));
        });
        assertThat(interruptions.minimum(DIGITS, 1)).isEqualTo(2);
        assertThat(interruptions.spotRoom(DIGITS)).isEqualTo(SpotRoom.NO);
        assertThat(isHeld()).isTrue();

        cordon(false);
        interruptions.round();
        await().until(() -> InterruptionTaint.of(node()).isEmpty());
        assertThat(interruptions.minimum(DIGITS, 1)).isZero();
        assertThat(isHeld()).isTrue();
    }

    @Test
    void theReplicaIsReleasedWhenRequestsGoToOnDemandCapacity() {
        heldAndCordoned();
        route("digits-on-demand-00001", 0);
        interruptions.round();
        assertThat(isHeld()).as("the Route's status is old").isTrue();

        route("digits-on-demand-00001", 1);
        interruptions.round();
        await().until(() -> !isHeld());
        assertThat(events).isEmpty();
    }

    @Test
    void theReplicaIsReleasedAtTheLimit() {
        heldAndCordoned();
        route(REVISION, 1);
        interruptions.round();
        assertThat(isHeld()).isTrue();

        now = now.plus(LIMIT);
        interruptions.round();
        await().until(() -> !isHeld());
        interruptions.round();
        assertThat(events).containsExactly("DrainNotHeld");
    }

    @Test
    void aBudgetOfAUserStandsAlone() {
        interruptions.round();
        await().until(this::isHeld);
        client.resource(new PodDisruptionBudgetBuilder()
                        .withNewMetadata()
                        .withNamespace("shop")
                        .withName("own")
                        .endMetadata()
                        .withNewSpec()
                        .withNewSelector()
                        .addToMatchExpressions(
                                new LabelSelectorRequirement(Labels.FUNCTION, "In", List.of("digits", "other")),
                                new LabelSelectorRequirement("x", "DoesNotExist", List.of()))
                        .endSelector()
                        .endSpec()
                        .build())
                .create();
        await().until(() ->
                DrainBudgets.select(budgets.others(), view.podObjects().getFirst()));
        interruptions.round();
        await().until(() -> !isHeld());
    }

    @Test
    void nothingIsHeldIfTheSettingsSaySo() {
        interruptions.round();
        await().until(this::isHeld);
        interruptions(LIMIT, false).round();
        await().until(() -> !isHeld());

        interruptions.round();
        await().until(this::isHeld);
        NodeInterruptions off = interruptions(Duration.ZERO, true);
        off.round();
        await().until(() -> !isHeld());
        cordon(true);
        off.round();
        assertThat(off.minimum(DIGITS, 1)).isZero();
    }
}
