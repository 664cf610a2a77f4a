package io.knabla.controller.knative.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.knabla.controller.knative.capacity.ClusterNode;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import io.knabla.controller.knative.resource.FunctionObjectStatus.Replicas;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.knative.resource.Reason;
import io.knabla.controller.knative.rights.PrivilegedTask;
import io.knabla.controller.machine.Node.CapacityType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Computes the status of a Function from its input: a pure function. */
public final class FunctionStatusBuilder {
    private static final Pattern CHANGE = Pattern.compile("[a-zA-Z0-9]{1,63}");

    private FunctionStatusBuilder() {}

    /**
     * @param before the status that was written last, null at first
     * @return equal to {@code before} if nothing changed
     */
    public static FunctionObjectStatus status(StatusInput input, FunctionObjectStatus before, Instant now) {
        Optional<FunctionObjectStatus> last = Optional.ofNullable(before);
        VersionStates states = new VersionStates(input, last);
        return new FunctionObjectStatus(
                input.generation(),
                states.url().orElse(null),
                states.tags().orElse(null),
                states.newest().orElse(null),
                states.readyVersion().orElse(null),
                pool(states).orElse(null),
                replicas(states),
                last.map(FunctionObjectStatus::cost).orElse(null),
                input.record()
                        .map(record -> record.latest().unit().value())
                        .or(() -> last.map(FunctionObjectStatus::unit))
                        .orElse(null),
                analysis(input, last).orElse(null),
                conditions(states, last, now));
    }

    /**
     * Computes the status while the cluster's state is unknown: keeps the last status, except that {@code Placed}
     * becomes Unknown.
     *
     * @param why what cannot be read, and where to find more
     * @param before the status that was written last, null at first
     * @return equal to {@code before} if nothing changed
     */
    public static FunctionObjectStatus withoutCluster(
            String why, long generation, FunctionObjectStatus before, Instant now) {
        Optional<FunctionObjectStatus> last = Optional.ofNullable(before);
        Condition placed =
                new Conditions(last, generation, now).of("Placed", ConditionResult.unknown(Reason.ClusterUnknown, why));
        return last.map(status -> status.with(placed)).orElseGet(() -> FunctionObjectStatus.of(placed));
    }

    /**
     * Copies {@code Ready} to a condition {@code Ready-CHANGE}, for clients that wait for a condition by its type
     * alone, such as Terraform's provider: after a change of the spec, {@code Ready} may still be that of the last one.
     *
     * @param change as the resource's annotation {@link Labels#CHANGE} has it; ignored unless it fits into a type
     */
    public static FunctionObjectStatus withChange(FunctionObjectStatus status, String change) {
        return CHANGE.matcher(change).matches()
                ? Conditions.find(Optional.of(status), "Ready")
                        .map(ready -> status.with(new ConditionBuilder(ready)
                                .withType("Ready-" + change)
                                .build()))
                        .orElse(status)
                : status;
    }

    /**
     * Adds the condition of a task that the controller's account may not do, and keeps it, as True, after that.
     *
     * @param refusal why it may not; empty if it may
     * @param before the status that was written last, null at first
     */
    public static FunctionObjectStatus withTask(
            FunctionObjectStatus status,
            PrivilegedTask task,
            Optional<String> refusal,
            long generation,
            FunctionObjectStatus before,
            Instant now) {
        Optional<FunctionObjectStatus> last = Optional.ofNullable(before);
        return refusal.map(why -> ConditionResult.no(Reason.CallRefused, why))
                .or(() -> Conditions.find(last, task.condition())
                        .map(_ -> ConditionResult.yes(Reason.CallAllowed, task.done())))
                .map(result -> status.with(new Conditions(last, generation, now).of(task.condition(), result)))
                .orElse(status);
    }

    private static List<Condition> conditions(
            VersionStates states, Optional<FunctionObjectStatus> before, Instant now) {
        var conditions = new Conditions(before, states.input().generation(), now);
        ConditionResult packaged = PackagedCondition.evaluate(states.input().packaging());
        return List.of(
                conditions.of("Packaged", packaged),
                conditions.of("Placed", PlacedCondition.evaluate(states)),
                conditions.of("Ready", ReadyCondition.evaluate(states, packaged)));
    }

    /** Keeps the last analysis while the store does not answer. */
    private static Optional<JsonNode> analysis(StatusInput input, Optional<FunctionObjectStatus> before) {
        return input.analysis()
                .or(() -> input.record().isPresent() ? Optional.empty() : before.map(FunctionObjectStatus::analysis));
    }

    private static Optional<String> pool(VersionStates states) {
        return named(states.expectedRevisions().stream()
                        .flatMap(revision -> FunctionSnapshot.label(revision, Labels.POOL).stream()))
                .or(() -> states.input()
                        .plan()
                        .flatMap(plan -> named(plan.shares().stream()
                                .map(share -> share.slot().pool().name()))))
                .or(() -> states.before().map(FunctionObjectStatus::pool));
    }

    private static Optional<String> named(Stream<String> pools) {
        return Optional.of(pools.distinct().sorted().collect(Collectors.joining(",")))
                .filter(text -> !text.isEmpty());
    }

    /** Counts the replicas of all versions: each of them costs money. */
    private static Replicas replicas(VersionStates states) {
        List<Node> nodes = states.snapshot().nodes();
        List<CapacityType> types = states.snapshot().pods().stream()
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
