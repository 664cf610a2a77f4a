package io.knabla.controller.knative.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.platform.PlacementReasons.PlacementReason;
import io.knabla.controller.scale.fleet.SpotRisks;
import io.knabla.controller.spot.live.CapacitySplit;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.functions.spec.FunctionSpec.SpotPolicyName;
import io.knabla.storage.memory.MemoryObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three spot replicas and one on demand of a function that needs two, on Fabric8's mock server. */
@EnableKubernetesMockClient(https = false, crud = true)
class PolicySplitsTest {
    private static final FunctionId DIGITS = Specs.id("digits");
    private static final List<String> SPOT_PODS = List.of("spot-1", "spot-2", "spot-3");

    KubernetesClient client;
    private final MapCatalog catalog = new MapCatalog();
    private final PlacementReasons reasons = new PlacementReasons();
    private final List<FunctionId> changed = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    private boolean leads = true;
    private final SpotRisks risks = new SpotRisks(new MemoryObjectStore(), () -> now);
    private KnativeView view;
    private PolicySplits splits;

    @BeforeEach
    void open() {
        view = KnativeView.open(client, List.of());
        splits = new PolicySplits(
                new PolicySplits.Sources(
                        catalog,
                        view,
                        () -> Optional.of(List.<ReplicaInterval>of()).filter(_ -> leads),
                        NodePrices.UNKNOWN,
                        risks),
                reasons,
                new SplittableRandom(1),
                () -> now,
                true);
        splits.onChange(changed::add);
        client.resource(node("spot", Map.of("karpenter.sh/capacity-type", "spot")))
                .create();
        client.resource(node("od", Map.of())).create();
        for (String name : SPOT_PODS) {
            client.resource(pod(name, "spot")).create();
        }
        client.resource(pod("od-1", "od")).create();
        await().until(() ->
                view.hasSynced() && view.nodes().size() == 2 && view.replicas().size() == 4);
    }

    @AfterEach
    void close() {
        splits.close();
        view.close();
    }

    private static Node node(String name, Map<String, String> labels) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build();
    }

    private static Pod pod(String name, String node) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(DIGITS.namespace())
                .withName(name)
                .withLabels(Map.of(Labels.FUNCTION, DIGITS.name(), Labels.VERSION, "1"))
                .withCreationTimestamp("2026-11-25T12:00:0%sZ".formatted(name.substring(name.length() - 1)))
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .endSpec()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    private static Pod pending(String name) {
        return new PodBuilder(pod(name, ""))
                .editSpec()
                .withNodeName(null)
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build();
    }

    private void deploy(SpotPolicyName policy) {
        catalog.put(Specs.inference()
                .policy(policy)
                .scaling(2, 4, 4, Duration.ofMinutes(1))
                .record(DIGITS.name(), Instant.EPOCH));
    }

    private void runs(Duration time) {
        for (Instant end = now.plus(time); now.isBefore(end); now = now.plusSeconds(2)) {
            splits.round();
        }
    }

    private String cause(String replica) {
        return reasons.of(replica).map(PlacementReason::cause).orElse("");
    }

    @Test
    void tellsTheSplitAndWhyEachReplicaIsWhereItIs() {
        deploy(SpotPolicyName.SpotHedge);
        runs(Duration.ofMinutes(1));

        assertThat(splits.of(DIGITS)).isEqualTo(Map.of(1, new CapacitySplit(2, 3, 0)));
        assertThat(changed).containsExactly(DIGITS);
        assertThat(cause("od-1")).isEqualTo("COVERS_MISSING_SPOT");
    }

    /** What Knative's autoscaler does for the share of spot capacity: its pods wait for a node. */
    private void losesTheLastSpotNode() {
        client.nodes().withName("spot").delete();
        for (String name : SPOT_PODS) {
            client.pods().inNamespace(DIGITS.namespace()).withName(name).delete();
        }
        client.resource(pending("spot-4")).create();
        await().until(() -> view.nodes().size() == 1 && view.replicas().size() == 2);
    }

    @Test
    void theLossOfTheLastSpotNodeIsCoveredOnDemandWhileTheNextOneIsAskedFor() {
        deploy(SpotPolicyName.SpotHedge);
        runs(Duration.ofMinutes(1));
        losesTheLastSpotNode();
        splits.round();
        assertThat(splits.of(DIGITS)).as("not settled yet").isEqualTo(Map.of(1, new CapacitySplit(2, 3, 0)));
        runs(Duration.ofMinutes(1));

        assertThat(splits.of(DIGITS)).isEqualTo(Map.of(1, new CapacitySplit(2, 3, 2)));
    }

    @Test
    void thePolicyLearnsThatAZoneLostItsLastNode() {
        deploy(SpotPolicyName.Adaptive);
        runs(Duration.ofMinutes(1));
        losesTheLastSpotNode();
        runs(Duration.ofMinutes(1));

        assertThat(risks.of(DIGITS).recall().orElseThrow().recentLosses().values())
                .allMatch(losses -> losses > 0)
                .isNotEmpty();
        assertThat(splits.of(DIGITS).get(1).onDemand()).isEqualTo(2);
        runs(Duration.ofMinutes(15));
        assertThat(splits.of(DIGITS).get(1).spot()).as("spot is tried again").isPositive();
    }

    @Test
    void aPoolThatNeverHadASpotNodeIsNotDivided() {
        deploy(SpotPolicyName.SpotHedge);
        losesTheLastSpotNode();
        runs(Duration.ofMinutes(1));

        assertThat(splits.of(DIGITS)).isEmpty();
    }

    @Test
    void aControllerThatDoesNotLeadDividesNothing() {
        deploy(SpotPolicyName.SpotHedge);
        runs(Duration.ofMinutes(1));
        leads = false;
        splits.round();

        assertThat(splits.of(DIGITS)).isEmpty();
        assertThat(changed).containsExactly(DIGITS, DIGITS);
    }

    @Test
    void functionsOfOneKindOfCapacityAreNotDivided() {
        catalog.put(Specs.inference()
                .timeout(Duration.ofMinutes(5))
                .policy(SpotPolicyName.SpotHedge)
                .scaling(2, 4, 4, Duration.ofMinutes(1))
                .record(DIGITS.name(), Instant.EPOCH));
        runs(Duration.ofMinutes(1));

        assertThat(splits.of(DIGITS)).isEmpty();
        assertThat(cause("spot-1")).isEmpty();
    }
}
