package io.knabla.controller.knative.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.platform.PlacementReasons.PlacementReason;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.spot.live.CapacitySplit;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SplitReasonsTest {
    private static final List<Node> NODES = List.of(
            new Node("od", Pool.cpu, CapacityType.OnDemand, "unknown", "a", 8),
            new Node("spot", Pool.cpu, CapacityType.Spot, "unknown", "a", 8));
    private static final FunctionSpec SPEC =
            Specs.inference().placement(Pool.auto, Capacity.Mixed, 1).spec();

    private final PlacementReasons known = new PlacementReasons();
    private final SplitReasons reasons = new SplitReasons(known);

    private static Replica replica(String id, String node, int started) {
        return new Replica(
                id,
                Specs.id("digits"),
                1,
                Optional.empty(),
                node,
                Replica.State.READY,
                Optional.empty(),
                "",
                Map.of(),
                Instant.EPOCH.plusSeconds(started),
                "",
                Replica.Failure.UNSPECIFIED,
                Replica.Start.COLD);
    }

    private String cause(String replica) {
        return known.of(replica).map(PlacementReason::cause).orElse("");
    }

    @Test
    void theYoungestBeyondTheLoadAreHedgesAndThoseBeyondTheBaseStandIn() {
        List<Replica> replicas = List.of(
                replica("young", "spot", 9),
                replica("old", "spot", 1),
                replica("base", "od", 2),
                replica("extra", "od", 3),
                replica("waits", "", 4));
        known.put("extra", new PlacementReason("REPLACEMENT", "stands in: its node is lost"));

        reasons.explain(replicas, NODES, SPEC, Optional.of(new CapacitySplit(2, 2, 1)));

        assertThat(cause("old")).isEqualTo("NEEDED");
        assertThat(cause("young")).isEqualTo("HEDGE");
        assertThat(cause("base")).isEqualTo("ON_DEMAND_BASE");
        assertThat(cause("extra")).as("a more exact reason stays").isEqualTo("REPLACEMENT");
        assertThat(cause("waits")).isEmpty();
    }

    @Test
    void withoutASplitTheLoadNeedsAllOnSpot() {
        reasons.explain(List.of(replica("a", "spot", 1), replica("b", "spot", 2)), NODES, SPEC, Optional.empty());

        assertThat(cause("b")).isEqualTo("NEEDED");
    }
}
