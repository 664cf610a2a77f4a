package io.knabla.controller.cluster.knative.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Node;
import io.knabla.controller.cluster.Node.CapacityType;
import io.knabla.controller.cluster.knative.ClusterNode;
import io.knabla.controller.cluster.knative.Labels;
import io.knabla.controller.cluster.knative.resource.FunctionObjectStatus;
import io.knabla.controller.cluster.knative.resource.FunctionObjectStatus.Replicas;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Computes the status of a Function from its input: a pure function. */
public final class Judge {
    private Judge() {}

    /**
     * @param before the status that was written last, null at first
     * @return equal to {@code before} if nothing changed
     */
    public static FunctionObjectStatus status(Sight sight, FunctionObjectStatus before, Instant now) {
        Optional<FunctionObjectStatus> last = Optional.ofNullable(before);
        Scene scene = new Scene(sight, last);
        return new FunctionObjectStatus(
                sight.generation(),
                scene.url().orElse(null),
                scene.newest().orElse(null),
                scene.readyVersion().orElse(null),
                pool(scene).orElse(null),
                replicas(scene),
                sight.record()
                        .map(record -> record.latest().unit().value())
                        .or(() -> last.map(FunctionObjectStatus::unit))
                        .orElse(null),
                analysis(sight, last).orElse(null),
                conditions(scene, last, now));
    }

    /**
     * Computes the status while the cluster's state is unknown: keeps the last status, except that {@code Placed}
     * becomes Unknown.
     *
     * @param why what cannot be read, and where to find more
     * @param before the status that was written last, null at first
     * @return equal to {@code before} if nothing changed
     */
    public static FunctionObjectStatus blind(String why, long generation, FunctionObjectStatus before, Instant now) {
        Optional<FunctionObjectStatus> last = Optional.ofNullable(before);
        Condition placed = new Conditions(last, generation, now).of("Placed", Verdict.unknown("ClusterUnknown", why));
        return last.map(status -> status.with(placed)).orElseGet(() -> FunctionObjectStatus.of(placed));
    }

    private static List<Condition> conditions(Scene scene, Optional<FunctionObjectStatus> before, Instant now) {
        var conditions = new Conditions(before, scene.sight().generation(), now);
        Verdict packaged = Packed.judge(scene.sight().packaging());
        return List.of(
                conditions.of("Packaged", packaged),
                conditions.of("Placed", Placed.judge(scene)),
                conditions.of("Ready", Readiness.judge(scene, packaged)));
    }

    /** Keeps the last analysis while the store does not answer. */
    private static Optional<JsonNode> analysis(Sight sight, Optional<FunctionObjectStatus> before) {
        return sight.analysis()
                .or(() -> sight.record().isPresent() ? Optional.empty() : before.map(FunctionObjectStatus::analysis));
    }

    private static Optional<String> pool(Scene scene) {
        return named(scene.wantedRevisions().stream().flatMap(revision -> Seen.label(revision, Labels.POOL).stream()))
                .or(() -> scene.sight()
                        .plan()
                        .flatMap(plan -> named(plan.shares().stream()
                                .map(share -> share.slot().pool().name()))))
                .or(() -> scene.before().map(FunctionObjectStatus::pool));
    }

    private static Optional<String> named(Stream<String> pools) {
        return Optional.of(pools.distinct().sorted().collect(Collectors.joining(",")))
                .filter(text -> !text.isEmpty());
    }

    /** Counts the replicas of all versions: each of them costs money. */
    private static Replicas replicas(Scene scene) {
        List<Node> nodes = scene.seen().nodes();
        List<CapacityType> types = scene.seen().pods().stream()
                .filter(Pods::ready)
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .flatMap(pod -> Pods.node(pod).stream())
                .flatMap(name -> Nodes.find(nodes, name).stream())
                .map(node -> ClusterNode.of(node).capacityType())
                .toList();
        int spot = (int) types.stream().filter(CapacityType.Spot::equals).count();
        return new Replicas(types.size() - spot, spot);
    }
}
