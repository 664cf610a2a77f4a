package io.knabla.controller.knative.placement;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.platform.PlacementReasons.PlacementReason;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.scale.fleet.ReasonTexts;
import io.knabla.controller.spot.live.CapacitySplit;
import io.knabla.controller.spot.policy.Reason;
import io.knabla.controller.spot.policy.Reason.Cause;
import io.knabla.functions.spec.FunctionSpec;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Notes why the replicas of divided versions run on spot capacity or on demand, unless a reason is known already. */
record SplitReasons(PlacementReasons reasons) {
    void explain(List<Replica> replicas, Collection<Node> nodes, FunctionSpec spec, Optional<CapacitySplit> split) {
        List<Replica> spot = oldestFirst(replicas, nodes, CapacityType.Spot).toList();
        int needed = split.map(it -> Math.max(0, it.target() - it.onDemand())).orElse(spot.size());
        for (int i = 0; i < spot.size(); i++) {
            note(spot.get(i), i < needed ? Cause.NEEDED : Cause.HEDGE);
        }
        List<Replica> onDemand =
                oldestFirst(replicas, nodes, CapacityType.OnDemand).toList();
        for (int i = 0; i < onDemand.size(); i++) {
            note(
                    onDemand.get(i),
                    i < spec.placement().leastOnDemand() ? Cause.ON_DEMAND_BASE : Cause.COVERS_MISSING_SPOT);
        }
    }

    private static Stream<Replica> oldestFirst(List<Replica> replicas, Collection<Node> nodes, CapacityType type) {
        return replicas.stream()
                .filter(replica -> nodes.stream()
                        .anyMatch(node -> node.name().equals(replica.node()) && node.capacityType() == type))
                .sorted(Comparator.comparing(Replica::started));
    }

    private void note(Replica replica, Cause cause) {
        if (reasons.of(replica.id()).isEmpty()) {
            reasons.put(replica.id(), new PlacementReason(cause.name(), ReasonTexts.of(Reason.of(cause))));
        }
    }
}
