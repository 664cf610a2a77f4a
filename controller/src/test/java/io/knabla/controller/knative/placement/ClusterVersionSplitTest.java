package io.knabla.controller.knative.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.scale.fleet.FleetView;
import io.knabla.controller.spot.live.CapacitySplit;
import io.knabla.controller.spot.live.VersionFleet;
import io.knabla.controller.standin.Replicas;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.SpotPolicyName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Splits for the load of a version, estimated every two seconds. */
class ClusterVersionSplitTest {
    private static final FleetView VIEW = new FleetView(
            List.of(
                    new Node("spot-a", Pool.cpu, CapacityType.Spot, "unknown", "a", 8),
                    new Node("spot-b", Pool.cpu, CapacityType.Spot, "unknown", "b", 8)),
            Map.of(),
            NodePrices.UNKNOWN);
    private static final FunctionSpec SPEC = Specs.inference()
            .placement(Pool.auto, Capacity.Mixed, 0)
            .policy(SpotPolicyName.SpotHedge)
            .scaling(0, 8, 1, Duration.ofMinutes(1))
            .spec();

    private final ClusterVersionSplit version = new ClusterVersionSplit(VersionFleet.Memory.NONE);
    private final SplittableRandom random = new SplittableRandom(1);
    private Instant now = Instant.EPOCH;
    private long busyMillis;

    /** @param concurrency requests that are worked on at once in this time */
    private Optional<CapacitySplit> after(Duration time, double concurrency) {
        List<Replica> replicas = Stream.of("spot-a", "spot-b")
                .map(node -> Replicas.of(node, node, State.READY, Instant.EPOCH))
                .toList();
        Optional<CapacitySplit> last = Optional.empty();
        for (long i = 0; i < time.toSeconds(); i += 2) {
            busyMillis += Math.round(2000 * concurrency);
            now = now.plusSeconds(2);
            last = version.next(SPEC, replicas, List.of(LoadEstimateTest.replica("a", busyMillis)), VIEW, random, now);
        }
        return last;
    }

    @Test
    void spotHedgeKeepsOneMoreThanTheLoadNeeds() {
        // A replica has one request at a time, and should be busy 0.7 of the time.
        assertThat(after(Duration.ofMinutes(2), 1)).contains(new CapacitySplit(2, 3, 0));
        assertThat(after(Duration.ofMinutes(3), 0)).as("idle").isEmpty();
    }
}
