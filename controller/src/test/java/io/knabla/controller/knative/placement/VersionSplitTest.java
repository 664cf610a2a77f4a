package io.knabla.controller.knative.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.usage.ReplicaInterval;
import io.knabla.controller.knative.CapacitySplit;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.scale.fleet.VersionFleet;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.SpotPolicyName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Splits by the real policies, decided every two seconds, of a version with replicas on given nodes. */
class VersionSplitTest {
    private static final List<Node> NODES = List.of(
            new Node("od", Pool.cpu, CapacityType.OnDemand, "unknown", "a", 8),
            new Node("spot-a", Pool.cpu, CapacityType.Spot, "unknown", "a", 8),
            new Node("spot-b", Pool.cpu, CapacityType.Spot, "unknown", "b", 8));

    private final VersionSplit split = new VersionSplit(VersionFleet.Memory.NONE);
    private final SplittableRandom random = new SplittableRandom(1);
    private final Map<String, CapacitySignal> signals = new HashMap<>();
    private final List<Replica> replicas = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    private long busyMillis;

    private static FunctionSpec spec(SpotPolicyName policy, int min) {
        return Specs.inference()
                .placement(Pool.auto, Capacity.Mixed, 0)
                .policy(policy)
                .scaling(min, 8, 1, Duration.ofMinutes(1))
                .spec();
    }

    private void has(String id, String node, State state) {
        replicas.removeIf(replica -> replica.id().equals(id));
        replicas.add(new Replica(
                id,
                Specs.id("digits"),
                1,
                Optional.empty(),
                node,
                state,
                Optional.empty(),
                "",
                Map.of(),
                now,
                "",
                Replica.Failure.UNSPECIFIED,
                Replica.Start.COLD));
    }

    /** @param concurrency requests that are worked on at once in this time */
    private Optional<CapacitySplit> after(Duration time, FunctionSpec spec, double concurrency) {
        Optional<CapacitySplit> last = Optional.empty();
        for (long i = 0; i < time.toSeconds(); i += 2) {
            busyMillis += Math.round(2000 * concurrency);
            now = now.plusSeconds(2);
            List<ReplicaInterval> usage = List.of(LoadEstimateTest.replica("a", busyMillis));
            last = split.next(
                    spec, replicas, usage, new VersionSplit.Market(NODES, signals, NodePrices.UNKNOWN), random, now);
        }
        return last;
    }

    @Test
    void spotHedgeKeepsOneMoreThanTheLoadNeeds() {
        FunctionSpec spec = spec(SpotPolicyName.SpotHedge, 0);
        has("a", "spot-a", State.READY);
        has("b", "spot-b", State.READY);
        has("c", "spot-b", State.READY);
        has("d", "spot-b", State.READY);

        // A replica has one request at a time, and should be busy 0.7 of the time.
        assertThat(after(Duration.ofMinutes(2), spec, 2)).contains(new CapacitySplit(3, 4, 0));
        assertThat(after(Duration.ofMinutes(3), spec, 0)).as("idle").isEmpty();
    }

    @Test
    void otherPoliciesLeaveAFunctionWithoutTroubleToKnative() {
        has("a", "spot-a", State.READY);
        has("b", "spot-b", State.READY);
        assertThat(after(Duration.ofMinutes(2), spec(SpotPolicyName.Adaptive, 2), 0))
                .isEmpty();
        has("a", "od", State.READY);
        assertThat(after(Duration.ofMinutes(2), spec(SpotPolicyName.StaticMix, 2), 0))
                .isEmpty();
    }

    @Test
    void missingSpotReplicasAreCoveredOnDemandUntilTheyAreReady() {
        FunctionSpec spec = spec(SpotPolicyName.Adaptive, 2);
        has("a", "spot-a", State.READY);
        has("b", "spot-b", State.READY);
        after(Duration.ofMinutes(1), spec, 0);

        has("b", "", State.STARTING);
        assertThat(after(SettledSplit.PERIOD.minusSeconds(2), spec, 0))
                .as("it may find a node soon")
                .isEmpty();
        assertThat(after(Duration.ofSeconds(4), spec, 0)).contains(new CapacitySplit(2, 2, 1));

        has("c", "od", State.STARTING);
        assertThat(after(Duration.ofMinutes(1), spec, 0)).contains(new CapacitySplit(2, 2, 1));

        has("b", "spot-b", State.READY);
        assertThat(after(SettledSplit.PERIOD.plusSeconds(2), spec, 0)
                        .map(CapacitySplit::onDemand)
                        .orElse(0))
                .isZero();
    }

    @Test
    void replicasThatStartOnTheirNodesAreNotCovered() {
        has("a", "spot-a", State.STARTING);
        has("b", "spot-b", State.STARTING);

        assertThat(after(Duration.ofMinutes(5), spec(SpotPolicyName.SpotHedge, 2), 0))
                .contains(new CapacitySplit(2, 3, 0));
    }

    @Test
    void replicasOnANodeThatIsTakenBackAreCovered() {
        has("a", "spot-a", State.READY);
        has("b", "spot-b", State.READY);
        signals.put("spot-a", new CapacitySignal("spot-a", Kind.INTERRUPTION_WARNING, now.plusSeconds(120)));

        assertThat(after(Duration.ofSeconds(40), spec(SpotPolicyName.SpotHedge, 2), 0))
                .contains(new CapacitySplit(2, 3, 1));
    }
}
