package io.knabla.controller.knative.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.platform.PlacementReasons.PlacementReason;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.spot.live.CapacitySplit;
import io.knabla.controller.standin.Replicas;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.time.Instant;
import java.util.List;
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

    private static Replica ready(String id, String node, int started) {
        return Replicas.of(id, node, Replica.State.READY, Instant.EPOCH.plusSeconds(started));
    }

    private String cause(String replica) {
        return known.of(replica).map(PlacementReason::cause).orElse("");
    }

    @Test
    void theYoungestBeyondTheLoadAreHedgesAndThoseBeyondTheBaseStandIn() {
        List<Replica> replicas = List.of(
                ready("young", "spot", 9),
                ready("old", "spot", 1),
                ready("base", "od", 2),
                ready("extra", "od", 3),
                ready("waits", "", 4));
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
        reasons.explain(List.of(ready("a", "spot", 1), ready("b", "spot", 2)), NODES, SPEC, Optional.empty());

        assertThat(cause("b")).isEqualTo("NEEDED");
    }
}
