package io.knabla.controller.scale.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.machine.Node.Purchase;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.NodePrices.Hourly;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.spot.live.FleetInput;
import io.knabla.controller.spot.live.LiveReplica;
import io.knabla.controller.spot.policy.Adaptive;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.OnDemandOnly;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.policy.StaticMix;
import io.knabla.controller.spot.policy.ZoneOffer;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import io.knabla.controller.standin.Replicas;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.SpotPolicyName;
import io.knabla.functions.spec.SpotTimeout;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What placement plans are told of nodes, prices, replicas and specs. */
class FleetViewTest {
    private static final List<Node> NODES = List.of(
            new Node("reserved", Pool.cpu, CapacityType.OnDemand, "local", "a", 8, Purchase.Reserved),
            new Node("spot-a", Pool.cpu, CapacityType.Spot, "local", "a", 8),
            new Node("spot-b", Pool.cpu, CapacityType.Spot, "local", "b", 8));
    private static final CapacitySignal WARNING =
            new CapacitySignal("spot-a", Kind.INTERRUPTION_WARNING, Instant.EPOCH.plusSeconds(120));

    private static FleetInput input(FunctionSpec spec, NodePrices prices, int turn, Replica... replicas) {
        return new FleetView(NODES, Map.of("spot-a", WARNING), prices)
                .input(Instant.EPOCH, spec, 2, List.of(replicas), _ -> 0, turn);
    }

    private static List<ZoneOffer> zones(NodePrices prices, int turn) {
        return input(Specs.inference().spec(), prices, turn).zones();
    }

    @Test
    void zonesOfferWhatTheirSpotNodesCost() {
        assertThat(zones(node -> Optional.of(new Hourly(node.zone().equals("a") ? 1.1 : 0.5, 1)), 0))
                .containsExactly(ZoneOffer.of("a", 1.1 * 3, 3), ZoneOffer.of("b", 0.5 * 3, 3));
    }

    @Test
    void pricesOfSomeNodesAloneAreNotUsed() {
        NodePrices some =
                node -> Optional.of(new Hourly(1.1, 1)).filter(_ -> node.zone().equals("a"));

        assertThat(zones(some, 0)).isEqualTo(zones(NodePrices.UNKNOWN, 0)).allMatch(ZoneOffer::spotIsCheaper);
    }

    @Test
    void aTurnRotatesTheZones() {
        assertThat(zones(NodePrices.UNKNOWN, 1)).extracting(ZoneOffer::zone).containsExactly("b", "a");
    }

    @Test
    void withoutSpotNodesAllZonesSaveNothing() {
        FunctionSpec gpu = Specs.inference()
                .placement(Pool.gpu, FunctionSpec.Capacity.Mixed, 0)
                .spec();

        assertThat(input(gpu, NodePrices.UNKNOWN, 0).zones()).hasSize(2).noneMatch(ZoneOffer::spotIsCheaper);
    }

    @Test
    void policiesAreThoseOfTheSpec() {
        FunctionSpec slow =
                Specs.inference().timeout(SpotTimeout.LONGEST.plusMillis(1)).spec();
        FunctionSpec mixed = Specs.inference().policy(SpotPolicyName.StaticMix).spec();

        assertThat(input(Specs.inference().spec(), NodePrices.UNKNOWN, 0)
                        .rules()
                        .policy())
                .isEqualTo(Adaptive.spreadOver(2));
        assertThat(input(slow, NodePrices.UNKNOWN, 0).rules().policy()).isEqualTo(new OnDemandOnly());
        assertThat(input(mixed, NodePrices.UNKNOWN, 0).rules())
                .matches(rules -> rules.policy().equals(StaticMix.of(1)))
                .matches(rules -> rules.onDemandBase() == 0 && rules.leastOnDemand() == 1);
    }

    @Test
    void replicasAreToldWithTheirNodes() {
        FleetInput input = input(
                Specs.inference().spec(),
                NodePrices.UNKNOWN,
                0,
                Replicas.of("r", "spot-a", Replica.State.UNRESPONSIVE, Instant.EPOCH),
                Replicas.of("r", "reserved", Replica.State.STARTING, Instant.EPOCH),
                Replicas.of("r", "", Replica.State.STARTING, Instant.EPOCH));

        assertThat(input.replicas())
                .containsExactly(
                        live("spot-a", Optional.of(Offering.spot("a")), State.READY, false, Optional.of(WARNING)),
                        live("reserved", Optional.of(Offering.onDemand("a")), State.STARTING, true, Optional.empty()),
                        live("", Optional.empty(), State.STARTING, false, Optional.empty()));
    }

    @Test
    void nodesThatAreGoneOrTakenBackAreLost() {
        var view = new FleetView(
                NODES,
                Map.of(
                        "spot-a",
                        WARNING,
                        "spot-b",
                        new CapacitySignal("spot-b", Kind.REBALANCE_RECOMMENDED, Instant.EPOCH)),
                NodePrices.UNKNOWN);

        assertThat(Stream.of("spot-a", "spot-b", "reserved", "deleted").filter(view::isLost))
                .containsExactly("spot-a", "deleted");
    }

    private static LiveReplica live(
            String node,
            Optional<Offering> offering,
            State state,
            boolean isReserved,
            Optional<CapacitySignal> signal) {
        return new LiveReplica("r", node, offering, Instant.EPOCH, state, isReserved, signal);
    }
}
