package io.knabla.controller.api;

import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.platform.Replica;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.time.Clock;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Lists replicas and nodes, with what the provider has announced of them. */
@Path("/api/v1")
@Produces("application/json")
@RunOnVirtualThread
public class ClusterResource {
    private final ClusterView cluster;
    private final CapacitySignals signals;
    private final PlacementReasons reasons;
    private final Clock clock;

    ClusterResource(ClusterView cluster, CapacitySignals signals, PlacementReasons reasons, Clock clock) {
        this.cluster = cluster;
        this.signals = signals;
        this.reasons = reasons;
        this.clock = clock;
    }

    @Operation(operationId = "listReplicas", summary = "Lists replicas")
    @GET
    @Path("replicas")
    public Views.Items<Views.ReplicaView> replicas() {
        Map<String, Node> nodes = cluster.nodes().stream().collect(Collectors.toMap(Node::name, Function.identity()));
        return new Views.Items<>(cluster.replicas().stream()
                .sorted(Comparator.comparing(Replica::started))
                .map(replica -> Views.ReplicaView.of(
                        replica,
                        Optional.ofNullable(nodes.get(replica.node())),
                        reasons.of(replica.id()),
                        warning(replica)))
                .toList());
    }

    private Optional<Views.SignalView> warning(Replica replica) {
        return Lookup.alive(replica) ? signal(replica.node()) : Optional.empty();
    }

    private Optional<Views.SignalView> signal(String node) {
        return signals.of(node).map(signal -> Views.SignalView.of(signal, clock.instant()));
    }

    @Operation(operationId = "listNodes", summary = "Lists nodes")
    @GET
    @Path("nodes")
    public Views.Items<Views.NodeView> nodes() {
        return nodes(any -> true);
    }

    Views.Items<Views.NodeView> nodes(Predicate<Node> wanted) {
        return new Views.Items<>(cluster.nodes().stream()
                .filter(wanted)
                .map(node -> Views.NodeView.of(node, used(node), signal(node.name())))
                .toList());
    }

    private int used(Node node) {
        return (int) cluster.replicas().stream()
                .filter(replica -> replica.node().equals(node.name()))
                .filter(Lookup::alive)
                .count();
    }
}
