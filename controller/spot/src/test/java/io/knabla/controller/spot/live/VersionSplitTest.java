package io.knabla.controller.spot.live;

import static io.knabla.controller.spot.live.Versions.OD;
import static io.knabla.controller.spot.live.Versions.SPOT_A;
import static io.knabla.controller.spot.live.Versions.SPOT_B;
import static io.knabla.controller.spot.live.Versions.ZONES;
import static io.knabla.controller.spot.live.Versions.replica;
import static io.knabla.controller.spot.live.Versions.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.knabla.controller.spot.policy.Adaptive;
import io.knabla.controller.spot.policy.FleetRisk;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.policy.SpotHedge;
import io.knabla.controller.spot.policy.SpotPolicy;
import io.knabla.controller.spot.policy.StaticMix;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Splits by the real policies, decided every two seconds, of a version with replicas of given offerings. */
class VersionSplitTest {
    private static final SpotPolicy ADAPTIVE = Adaptive.spreadOver(2);
    private static final SpotPolicy HEDGE = SpotHedge.of(1);
    private static final Duration SETTLING = FleetTiming.CLUSTER.settling();

    private final VersionFleet.Memory memory = new VersionFleet.Memory() {
        @Override
        public Optional<FleetRisk> recall() {
            return learned;
        }

        @Override
        public void keep(FleetRisk risk) {
            learned = Optional.of(risk);
        }
    };
    private final VersionSplit split = new VersionSplit(memory, FleetTiming.CLUSTER);
    private final SplittableRandom random = new SplittableRandom(1);
    private final Map<String, LiveReplica> replicas = new TreeMap<>();
    private final Set<String> lost = new HashSet<>();
    private Optional<FleetRisk> learned = Optional.empty();
    private Instant now = Instant.EPOCH;

    private void has(String id, Offering offering, State state) {
        replicas.put(id, replica(id, offering, state, now));
    }

    private Optional<CapacitySplit> after(Duration time, SpotPolicy policy, int target) {
        Optional<CapacitySplit> last = Optional.empty();
        for (long i = 0; i < time.toSeconds(); i += 2) {
            now = now.plusSeconds(2);
            var own = replicas.values().stream().toList();
            last = split.next(
                    new FleetInput(now, rules(policy, 8), target, own, ZONES, _ -> 0), lost::contains, random);
        }
        return last;
    }

    @Test
    void otherPoliciesThanSpotHedgeLeaveAFunctionWithoutTroubleToKnative() {
        has("a", SPOT_A, State.READY);
        has("b", SPOT_B, State.READY);
        assertThat(after(Duration.ofMinutes(2), ADAPTIVE, 2)).isEmpty();
        has("a", OD, State.READY);
        assertThat(after(Duration.ofMinutes(2), StaticMix.of(1), 2)).isEmpty();
    }

    @Test
    void missingSpotReplicasAreCoveredOnDemandUntilTheyAreReady() {
        has("a", SPOT_A, State.READY);
        has("b", SPOT_B, State.READY);
        after(Duration.ofMinutes(1), ADAPTIVE, 2);

        has("b", null, State.STARTING);
        assertThat(after(SETTLING.minusSeconds(2), ADAPTIVE, 2))
                .as("it may find a node soon")
                .isEmpty();
        assertThat(after(Duration.ofSeconds(4), ADAPTIVE, 2)).contains(new CapacitySplit(2, 2, 1));

        has("c", OD, State.STARTING);
        assertThat(after(Duration.ofMinutes(1), ADAPTIVE, 2)).contains(new CapacitySplit(2, 2, 1));

        has("b", SPOT_B, State.READY);
        assertThat(after(SETTLING.plusSeconds(2), ADAPTIVE, 2)
                        .map(CapacitySplit::onDemand)
                        .orElse(0))
                .isZero();
    }

    /** The spot replica has found a node, but serves nothing before it is ready. */
    @Test
    void aStandInServesUntilItsSpotReplicaIsReady() {
        has("a", SPOT_A, State.READY);
        has("b", null, State.STARTING);
        after(Duration.ofMinutes(1), ADAPTIVE, 2);
        has("c", OD, State.READY);

        has("b", SPOT_B, State.STARTING);
        assertThat(after(Duration.ofMinutes(5), ADAPTIVE, 2)).contains(new CapacitySplit(2, 2, 1));

        has("b", SPOT_B, State.READY);
        assertThat(after(SETTLING.plusSeconds(2), ADAPTIVE, 2)
                        .map(CapacitySplit::onDemand)
                        .orElse(0))
                .isZero();
    }

    @Test
    void replicasThatStartOnTheirNodesAreNotCovered() {
        has("a", SPOT_A, State.STARTING);
        has("b", SPOT_B, State.STARTING);

        assertThat(after(Duration.ofMinutes(5), HEDGE, 2)).contains(new CapacitySplit(2, 3, 0));
    }

    @Test
    void replicasOnANodeThatIsTakenBackAreCovered() {
        has("a", SPOT_A, State.READY);
        has("b", SPOT_B, State.READY);
        replicas.computeIfPresent("a", (_, it) -> Versions.with(it, Kind.INTERRUPTION_WARNING, now.plusSeconds(120)));

        assertThat(after(Duration.ofSeconds(40), HEDGE, 2)).contains(new CapacitySplit(2, 3, 1));
    }

    /** A replica of zone a ends; the other one serves on. */
    @ParameterizedTest
    @CsvSource({
        "READY, true, 1",
        "STARTING, true, 1",
        "READY, false, 0",
        "DRAINING, true, 0",
    })
    void aReplicaThatItsNodeTookAlongWithoutNoticeIsALoss(State last, boolean nodeIsLost, int losses) {
        has("a", SPOT_A, last);
        has("b", SPOT_B, State.READY);
        after(Duration.ofMinutes(1), ADAPTIVE, 2);

        if (nodeIsLost) {
            lost.add("node-of-a");
        }
        replicas.remove("a");
        after(Duration.ofSeconds(2), ADAPTIVE, 2);

        assertThat(learned.orElseThrow().zones().get("a").losses()).isCloseTo(losses, within(0.01));
        assertThat(learned.orElseThrow().zones().get("b").losses()).isZero();
    }

    /** Its pod may be listed for a while. */
    @Test
    void aReplicaWhoseNodeIsGoneIsALossOnce() {
        has("a", SPOT_A, State.READY);
        has("b", SPOT_B, State.READY);
        after(Duration.ofMinutes(1), ADAPTIVE, 2);

        lost.add("node-of-a");
        has("a", null, State.READY);
        after(Duration.ofSeconds(40), ADAPTIVE, 2);
        replicas.remove("a");
        after(Duration.ofSeconds(40), ADAPTIVE, 2);

        assertThat(learned.orElseThrow().zones().get("a").losses()).isCloseTo(1, within(0.01));
    }
}
