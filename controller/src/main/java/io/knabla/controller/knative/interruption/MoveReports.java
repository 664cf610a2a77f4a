package io.knabla.controller.knative.interruption;

import io.fabric8.kubernetes.api.model.Node;
import io.knabla.controller.knative.capacity.ClusterNode;
import io.knabla.controller.knative.interruption.Crowding.Crowded;
import io.knabla.controller.knative.interruption.Handover.Move;
import io.knabla.controller.knative.interruption.Handover.Reason;
import io.knabla.controller.knative.interruption.Spreading.Attempt;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.FunctionEvents;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.platform.PlacementReasons.PlacementReason;
import io.knabla.controller.platform.WorkloadOwner;
import io.knabla.controller.spot.policy.Reason.Cause;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Tells what was done with replicas and why: events of the Function, the metric {@code knabla.replicas.moved}, and the
 * reasons of replacements. One thread at a time.
 */
final class MoveReports {
    /** Replicas that start within this time of a move count as replacements. */
    private static final Duration REPLACING = Duration.ofMinutes(3);

    /** Causes that many replicas have; that one replaces another is more exact, and known only when that one leaves. */
    private static final Set<String> GENERAL = Set.of(Cause.NEEDED.name(), Cause.COVERS_MISSING_SPOT.name());

    private final FunctionEvents events;
    private final PlacementReasons reasons;
    private final MeterRegistry meters;
    private final Map<WorkloadOwner, Moved> latest = new HashMap<>();

    /** @param since start of what the replicas that start later are for */
    private record Moved(Instant time, Instant since, PlacementReason reason) {}

    MoveReports(FunctionEvents events, PlacementReasons reasons, MeterRegistry meters) {
        this.events = events;
        this.reasons = reasons;
        this.meters = meters;
    }

    /** @param leads whether this controller writes events */
    GpuLosses gpuLosses(BooleanSupplier leads) {
        return new GpuLosses(events, leads, meters);
    }

    void moved(Move move, Optional<Node> node, Instant now) {
        CapacityType capacity = node.map(it -> ClusterNode.of(it).capacityType())
                .orElse(move.pod().slot().capacity());
        String message = "replica %s leaves node %s: %s"
                .formatted(move.pod().name(), move.pod().node(), text(move));
        meters.counter(
                        "knabla.replicas.moved",
                        "capacity",
                        capacity.name(),
                        "reason",
                        move.reason().name().toLowerCase(Locale.ROOT))
                .increment();
        latest.put(
                move.pod().owner(),
                new Moved(now, move.since(), new PlacementReason("REPLACEMENT", "stands in: " + message)));
        reasons.put(move.pod().name(), new PlacementReason(move.reason().name(), message));
        warn(move.pod(), "ReplicaMoved", message);
    }

    /** An additional replica is to start. */
    void spreads(Attempt attempt, Instant now) {
        latest.put(
                WorkloadOwner.of(attempt.version()),
                new Moved(now, attempt.since(), new PlacementReason("SPREAD", crowding(attempt.crowded()))));
    }

    void spread(Attempt attempt) {
        meters.counter("knabla.replicas.spread").increment();
        events.warn(
                attempt.version().function(),
                "ReplicasSpread",
                crowding(attempt.crowded()) + "; another node has one now");
    }

    void notSpread(Attempt attempt) {
        events.warn(
                attempt.version().function(),
                "ReplicasNotSpread",
                "%s, and one more was not ready on another node within %d minutes: scaling.max, or the room of the nodes, may not allow it; the next try is in %d minutes"
                        .formatted(
                                crowding(attempt.crowded()),
                                Spreading.PATIENCE.toMinutes(),
                                Spreading.BACKOFF.toMinutes()));
    }

    private static String crowding(Crowded crowded) {
        return "%d of %d replicas were on node %s".formatted(crowded.onNode(), crowded.replicas(), crowded.node());
    }

    /** Tells that nothing keeps the only spot replica of a Revision from being evicted. */
    void unheld(RunningPod pod, String why) {
        warn(pod, "DrainNotHeld", "replica %s may be evicted: %s".formatted(pod.name(), why));
    }

    private void warn(RunningPod pod, String reason, String message) {
        pod.owner().function().ifPresent(function -> events.warn(function, reason, message));
    }

    /**
     * Notes the reason of replicas that started since the interruption of another one.
     *
     * @param existing names of all replicas; the reasons of others are forgotten
     */
    void explain(List<RunningPod> pods, Collection<String> existing, Instant now) {
        latest.values().removeIf(moved -> moved.time().plus(REPLACING).isBefore(now));
        for (RunningPod pod : pods) {
            Optional.ofNullable(latest.get(pod.owner()))
                    .filter(moved -> !pod.created().isBefore(moved.since().truncatedTo(ChronoUnit.SECONDS)))
                    .filter(_ -> reasons.of(pod.name())
                            .map(PlacementReason::cause)
                            .filter(cause -> !GENERAL.contains(cause))
                            .isEmpty())
                    .ifPresent(moved -> reasons.put(pod.name(), moved.reason()));
        }
        reasons.retain(existing);
    }

    private static String text(Move move) {
        Reason reason = move.reason();
        return switch (reason) {
            case NODE_LOST -> "the node is lost";
            case OTHERS_SERVE -> "the node is taken back, other replicas take its requests";
            case REPLACED -> "the node is taken back, at risk or cordoned, its replacement is ready";
            case NOTICE_ENDS ->
                "the node is taken back in %d s"
                        .formatted(move.grace().plus(Handover.MARGIN).toSeconds());
        };
    }
}
