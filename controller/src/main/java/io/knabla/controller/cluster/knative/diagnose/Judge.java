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

/** From all that is seen of a Function to the status that is written on it: a pure answer. */
public final class Judge {
    private Judge() {}

    /**
     * @param before the status that was written last, null at first
     * @return equal to {@code before} where nothing changed
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
     * While the cluster cannot be seen: what was said last holds, but for where replicas run.
     *
     * @param why what is not seen, and what tells more
     * @param before the status that was written last, null at first
     * @return equal to {@code before} where nothing changed
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

    /** While the store says nothing, what it said last holds. */
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

    /** Of all versions: each is paid for. */
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
