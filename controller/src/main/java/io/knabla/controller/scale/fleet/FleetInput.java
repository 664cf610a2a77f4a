package io.knabla.controller.scale.fleet;

import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.functions.spec.FunctionSpec;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Input of the placement plan of one version: how many replicas it needs, those it has, the nodes, and their signals.
 *
 * @param target replicas that should be ready, at most {@code scaling.max}
 * @param replicas of the version, those that drain included, those that have ended not
 * @param signals by node, of nodes that have one
 * @param inFlight requests that a replica works on, by its id
 * @param turn rotates the order of the zones, so that versions do not all prefer the same zone; not negative
 */
public record FleetInput(
        Instant now,
        FunctionSpec spec,
        int target,
        List<Replica> replicas,
        Collection<Node> nodes,
        Map<String, CapacitySignal> signals,
        ToIntFunction<String> inFlight,
        int turn) {
    Optional<Node> nodeOf(Replica replica) {
        return nodes.stream().filter(node -> node.name().equals(replica.node())).findFirst();
    }
}
