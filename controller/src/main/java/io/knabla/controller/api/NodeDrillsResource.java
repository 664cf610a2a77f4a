package io.knabla.controller.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.InterruptionDrills;
import io.knabla.functions.Fault;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/**
 * Takes virtual spot nodes of this machine back, as a drill. The path names a node, a zone, which stands for its spot
 * nodes, or a replica, which stands for its node.
 */
@Path("/api/v1/nodes/{node}")
@Produces("application/json")
@RunOnVirtualThread
public class NodeDrillsResource {
    private static final String NOTICE = "noticeSeconds";

    /** As on EC2. */
    private static final int DEFAULT_NOTICE = 120;

    private static final int LONGEST_NOTICE = 86_400;

    private final ClusterView cluster;
    private final ClusterResource nodes;
    private final Settings settings;
    private final Instance<InterruptionDrills> drills;

    NodeDrillsResource(
            ClusterView cluster,
            ClusterResource nodes,
            Settings settings,
            @ForPlatform(ClusterKind.Local) Instance<InterruptionDrills> drills) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.settings = settings;
        this.drills = drills;
    }

    /** The body is {@code {"noticeSeconds": 120}}, or empty; 0 kills the node's replicas at once. */
    @Operation(operationId = "interruptNode", summary = "Interrupts a virtual spot node, as a drill")
    @RequestBody(required = false, content = @Content(schema = @Schema(ref = "Interruption")))
    @APIResponse(
            responseCode = "202",
            description = "The nodes",
            content =
                    @Content(mediaType = "application/json", schema = @Schema(implementation = Views.NodeItems.class)))
    @POST
    @Path("interruption")
    public Response interrupt(@PathParam("node") String name, InputStream body) {
        Duration notice = notice(Bodies.text(body));
        return drill(name, (drill, node) -> drill.interrupt(node, notice));
    }

    @Operation(operationId = "rebalanceNode", summary = "Announces a rebalance of a virtual spot node, as a drill")
    @APIResponse(
            responseCode = "202",
            description = "The nodes",
            content =
                    @Content(mediaType = "application/json", schema = @Schema(implementation = Views.NodeItems.class)))
    @POST
    @Path("rebalance")
    public Response rebalance(@PathParam("node") String name) {
        return drill(name, InterruptionDrills::rebalance);
    }

    private Response drill(String name, BiConsumer<InterruptionDrills, String> act) {
        switch (settings.cluster().kind()) {
            case Local -> {}
            case Knative ->
                throw new ProblemException(
                        501,
                        "drills take back the virtual nodes of a laptop; on a cluster, drain or delete a spot node with kubectl instead");
        }
        List<String> targets = targets(name);
        targets.forEach(node -> act.accept(drills.get(), node));
        return Response.accepted(nodes.nodes(node -> targets.contains(node.name())))
                .build();
    }

    private List<String> targets(String name) {
        String node = cluster.replicas().stream()
                .filter(replica -> replica.id().equals(name) && Lookup.alive(replica))
                .findFirst()
                .map(replica -> replica.node())
                .orElse(name);
        List<Node> named = cluster.nodes().stream()
                .filter(one -> one.name().equals(node) || one.zone().equals(node))
                .toList();
        List<String> spot = spot(named.stream());
        if (spot.isEmpty()) {
            List<String> known = spot(cluster.nodes().stream());
            throw named.isEmpty()
                    ? new ProblemException(
                            404,
                            "there is no node, zone or running replica '%s'; spot nodes are %s".formatted(name, known))
                    : new ProblemException(
                            409,
                            "'%s' is on demand, which is not taken back; spot nodes are %s".formatted(name, known));
        }
        return spot;
    }

    private static List<String> spot(Stream<Node> nodes) {
        return nodes.filter(node -> node.capacityType() == CapacityType.Spot)
                .map(Node::name)
                .toList();
    }

    private static Duration notice(String body) {
        if (body.isBlank()) {
            return Duration.ofSeconds(DEFAULT_NOTICE);
        }
        JsonNode tree = Bodies.object(body);
        List<Fault> faults = tree.fieldNames().hasNext() ? faults(tree) : List.of();
        if (!faults.isEmpty()) {
            throw ProblemException.faults(faults);
        }
        return Duration.ofSeconds(tree.path(NOTICE).asInt(DEFAULT_NOTICE));
    }

    private static List<Fault> faults(JsonNode tree) {
        return tree.properties().stream()
                .filter(field -> !field.getKey().equals(NOTICE)
                        || !field.getValue().canConvertToInt()
                        || !field.getValue().isIntegralNumber()
                        || field.getValue().intValue() < 0
                        || field.getValue().intValue() > LONGEST_NOTICE)
                .map(field -> new Fault(
                        field.getKey(),
                        field.getKey().equals(NOTICE)
                                ? "must be a whole number from 0 to %d, was %s"
                                        .formatted(LONGEST_NOTICE, field.getValue())
                                : "unknown key; known is " + NOTICE))
                .toList();
    }
}
