package io.knabla.controller.api;

import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.Replica;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.util.Comparator;

/** Lists replicas and nodes. */
@Path("/api/v1")
@Produces("application/json")
@RunOnVirtualThread
public class ClusterResource {
    private final ClusterView cluster;

    ClusterResource(ClusterView cluster) {
        this.cluster = cluster;
    }

    @GET
    @Path("replicas")
    public Views.Items<Views.ReplicaView> replicas() {
        return new Views.Items<>(cluster.replicas().stream()
                .sorted(Comparator.comparing(Replica::started))
                .map(Views.ReplicaView::of)
                .toList());
    }

    @GET
    @Path("nodes")
    public Views.Items<Views.NodeView> nodes() {
        return new Views.Items<>(cluster.nodes().stream()
                .map(node -> Views.NodeView.of(node, used(node)))
                .toList());
    }

    private int used(Node node) {
        return (int) cluster.replicas().stream()
                .filter(replica -> replica.node().equals(node.name()))
                .filter(Lookup::alive)
                .count();
    }
}
