package io.knabla.controller.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.FunctionStatus.Condition;
import io.knabla.controller.platform.KeepWarm;
import io.knabla.controller.platform.PlacementReasons.PlacementReason;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.functions.compiler.analyze.Analysis;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Response bodies of the API; their names are part of the public contract. */
public final class Views {
    private Views() {}

    public record Items<T>(List<T> items) {}

    /** Names {@code Items<NodeView>} in annotations, which know no type parameters. */
    record NodeItems(List<NodeView> items) {}

    /** The answer to a deploy; {@code result} is deployed or unchanged. */
    public record Deployed(
            String name,
            String namespace,
            int version,
            String unit,
            String url,
            String result,
            List<String> warnings) {}

    /**
     * A version's share of the requests.
     *
     * @param latest true if it is so as the newest ready version; else omitted
     * @param url of the tag; omitted without a tag, and until the cluster has made it
     */
    public record TrafficShare(
            int version,
            int percent,
            @JsonInclude(JsonInclude.Include.NON_NULL) Boolean latest,
            @JsonInclude(JsonInclude.Include.NON_NULL) String tag,
            @JsonInclude(JsonInclude.Include.NON_NULL) String url) {}

    public record ReplicaCounts(int ready, int starting, int onDemand, int spot) {}

    /**
     * What keep-warm decided last.
     *
     * @param keep replicas that stay without requests
     * @param reason of {@code Reason}, or {@code SCHEDULE}
     * @param nextStart when a replica is ready ahead of requests; omitted if none is started
     */
    public record KeepWarmView(
            int keep,
            String reason,
            @JsonInclude(JsonInclude.Include.NON_NULL) Instant nextStart) {
        static KeepWarmView of(KeepWarm.Warmth warmth) {
            return warmth.reason().isEmpty()
                    ? null
                    : new KeepWarmView(
                            warmth.keep(), warmth.reason(), warmth.nextStart().orElse(null));
        }
    }

    /**
     * A function; {@code readyVersion} and {@code analysis} are omitted if unknown. Of a function whose document in the
     * catalog is damaged, nothing is known but its name: {@code type}, {@code unit}, {@code created} and {@code spec}
     * are null, {@code latestVersion} is 0, and condition Ready has the reason CatalogDamaged.
     *
     * @param keepWarm omitted while nothing was decided
     * @param pool why the deploy chose the pool of the newest version; omitted where the file names it
     * @param warnings of packaging the newest version's model, such as parameters that the exporter merged, and of its
     *     specification
     * @param analysis as {@code POST /analysis} returns it, plus {@code gradientCheck} for gradients and
     *     {@code batching} with batching
     */
    public record FunctionView(
            String name,
            String namespace,
            String type,
            String url,
            int latestVersion,
            @JsonInclude(JsonInclude.Include.NON_NULL) Integer readyVersion,
            List<TrafficShare> traffic,
            ReplicaCounts replicas,
            @JsonInclude(JsonInclude.Include.NON_NULL) KeepWarmView keepWarm,
            @JsonInclude(JsonInclude.Include.NON_NULL) String pool,
            String unit,
            Instant created,
            List<Condition> conditions,
            List<String> warnings,
            @Schema(ref = "FunctionSpec") JsonNode spec,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(implementation = Analysis.class)
            JsonNode analysis) {
        static FunctionView damaged(CatalogException trouble, String url) {
            return new FunctionView(
                    trouble.function().name(),
                    trouble.function().namespace(),
                    null,
                    url,
                    0,
                    null,
                    List.of(),
                    new ReplicaCounts(0, 0, 0, 0),
                    null,
                    null,
                    null,
                    null,
                    List.of(new Condition("Ready", "False", "CatalogDamaged", trouble.getMessage())),
                    List.of(),
                    null,
                    null);
        }
    }

    /**
     * @param traffic share in percent
     * @param replicas number that is starting, ready or draining
     */
    public record VersionView(int version, String unit, String model, Instant created, int traffic, int replicas) {}

    /**
     * What the provider has announced, or done: {@code REBALANCE_RECOMMENDED}, {@code INTERRUPTION_WARNING} or
     * {@code GONE}.
     *
     * @param until when the node is taken back, or when one that is gone may return
     */
    public record SignalView(String kind, Instant until, long secondsLeft) {
        static SignalView of(CapacitySignal signal, Instant now) {
            return new SignalView(
                    signal.kind().name(), signal.until(), signal.left(now).toSeconds());
        }
    }

    /**
     * A replica without its token, which is secret.
     *
     * @param reason why it is in its state
     * @param placement why it runs where it runs; omitted if unknown
     * @param warning of its node, if there is one
     */
    public record ReplicaView(
            String id,
            String namespace,
            String function,
            int version,
            String node,
            @JsonInclude(JsonInclude.Include.NON_NULL) String capacityType,
            @JsonInclude(JsonInclude.Include.NON_NULL) String zone,
            String state,
            @JsonInclude(JsonInclude.Include.NON_NULL) String address,
            Map<String, Double> phases,
            Instant started,
            String reason,
            @JsonInclude(JsonInclude.Include.NON_NULL) PlacementReason placement,
            @JsonInclude(JsonInclude.Include.NON_NULL) SignalView warning) {
        static ReplicaView of(
                Replica replica,
                Optional<Node> node,
                Optional<PlacementReason> placement,
                Optional<SignalView> warning) {
            return new ReplicaView(
                    replica.id(),
                    replica.function().namespace(),
                    replica.function().name(),
                    replica.version(),
                    replica.node(),
                    node.map(known -> known.capacityType().name()).orElse(null),
                    node.map(Node::zone).orElse(null),
                    replica.state().name(),
                    replica.address().map(Object::toString).orElse(null),
                    replica.phases(),
                    replica.started(),
                    replica.reason(),
                    placement.orElse(null),
                    warning.orElse(null));
        }
    }

    /**
     * @param used slots taken by live replicas
     * @param warning what the provider has announced, if anything
     */
    public record NodeView(
            String name,
            String pool,
            String capacityType,
            String instanceType,
            String zone,
            int slots,
            int used,
            @JsonInclude(JsonInclude.Include.NON_NULL) SignalView warning) {
        static NodeView of(Node node, int used, Optional<SignalView> warning) {
            return new NodeView(
                    node.name(),
                    node.pool().name(),
                    node.capacityType().name(),
                    node.instanceType(),
                    node.zone(),
                    node.slots(),
                    used,
                    warning.orElse(null));
        }
    }
}
