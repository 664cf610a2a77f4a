package io.knabla.controller.knative.interruption;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.signal.InterruptionTaint;
import io.knabla.controller.platform.VersionKey;
import io.knabla.functions.spec.SpotTimeout;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides what becomes of workloads on nodes that are taken back: which pods end now, and how many replicas must run so
 * that their replacements start first. A pure decision from pods and taints alone, so it is the same after a restart.
 *
 * @param moves pods to evict now
 * @param minimums replicas that must run, of versions that wait for replacements
 * @param onSpot functions with spot replicas that serve on open nodes
 * @param withoutSpot functions with spot replicas, none of which can serve or find a node
 */
record Handover(
        List<Move> moves, Map<VersionKey, Integer> minimums, Set<FunctionId> onSpot, Set<FunctionId> withoutSpot) {
    /** Between the end of a replica and that of its node. */
    static final Duration MARGIN = Duration.ofSeconds(5);

    /** A scheduler with room places a pod sooner. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    /**
     * For so long after it became ready, a replica is not relied on: Knative, which decides every 2 s, may be about to
     * end one that is no longer needed, and Kubernetes ends the youngest of a Revision first.
     */
    static final Duration SETTLED = Duration.ofSeconds(5);

    /** Why a replica ends now. */
    enum Reason {
        NODE_LOST,
        /** Other replicas of its Revision, or of on-demand capacity, take its requests. */
        OTHERS_SERVE,
        /** As many new replicas are ready as nodes that are taken back hold. */
        REPLACED,
        /** It needs the rest of the notice to finish its requests. */
        NOTICE_ENDS
    }

    /**
     * @param grace time that the pod gets to finish its requests, at least a second
     * @param since start of the interruption
     */
    record Move(RunningPod pod, Reason reason, Duration grace, Instant since) {}

    Handover {
        moves = List.copyOf(moves);
        minimums = Map.copyOf(minimums);
        onSpot = Set.copyOf(onSpot);
        withoutSpot = Set.copyOf(withoutSpot);
    }

    /**
     * @param closed nodes with Knabla's taint, by name
     * @param openSpot whether any spot node takes replicas
     * @param offSpot functions whose requests go to on-demand capacity
     */
    static Handover of(
            Collection<RunningPod> pods,
            Map<String, InterruptionTaint> closed,
            boolean openSpot,
            Set<FunctionId> offSpot,
            Instant now) {
        Set<FunctionId> served = pods.stream()
                .filter(pod -> serves(pod, closed, now) && !pod.slot().isSpot())
                .flatMap(pod -> pod.owner().function().stream())
                .filter(offSpot::contains)
                .collect(toSet());
        List<Move> moves = new ArrayList<>();
        pods.stream()
                .collect(groupingBy(RunningPod::substitutes))
                .values()
                .forEach(group -> moves.addAll(moves(group, closed, served, now)));
        Set<String> moved = moves.stream().map(move -> move.pod().uid()).collect(toSet());
        Map<VersionKey, Integer> minimums = new HashMap<>();
        RunningPod.byVersion(pods)
                .forEach((version, all) -> minimum(all, closed, moved).ifPresent(it -> minimums.put(version, it)));
        Set<FunctionId> onSpot = new HashSet<>();
        Set<FunctionId> withoutSpot = new HashSet<>();
        pods.stream()
                .filter(pod -> pod.slot().isSpot() && pod.owner().function().isPresent())
                .collect(groupingBy(pod -> pod.owner().function().orElseThrow()))
                .forEach((function, all) -> {
                    if (all.stream().anyMatch(pod -> pod.ready() && !closed.containsKey(pod.node()))) {
                        onSpot.add(function);
                    } else if (lacksSpot(all, closed, openSpot, now)) {
                        withoutSpot.add(function);
                    }
                });
        return new Handover(moves, minimums, onSpot, withoutSpot);
    }

    private static List<Move> moves(
            List<RunningPod> substitutes, Map<String, InterruptionTaint> closed, Set<FunctionId> served, Instant now) {
        List<RunningPod> leaving = substitutes.stream()
                .filter(pod -> closed.containsKey(pod.node()))
                .toList();
        List<RunningPod> serving =
                substitutes.stream().filter(pod -> serves(pod, closed, now)).toList();
        return leaving.stream()
                .flatMap(pod -> {
                    InterruptionTaint taint = closed.get(pod.node());
                    boolean replaced = serving.stream()
                                    .filter(other -> isNew(other, taint.since()))
                                    .count()
                            >= leaving.size();
                    boolean others = !serving.isEmpty()
                            || pod.owner().function().filter(served::contains).isPresent();
                    return reason(pod, taint, replaced, others, now)
                            .map(reason -> new Move(pod, reason, grace(pod, taint, now), taint.since()))
                            .stream();
                })
                .toList();
    }

    /** Whether a replica goes on to serve when others end. */
    private static boolean serves(RunningPod pod, Map<String, InterruptionTaint> closed, Instant now) {
        return !closed.containsKey(pod.node())
                && pod.readySince()
                        .filter(since -> !now.isBefore(since.plus(SETTLED)))
                        .isPresent();
    }

    private static Optional<Reason> reason(
            RunningPod pod, InterruptionTaint taint, boolean replaced, boolean others, Instant now) {
        Optional<Reason> early = Optional.of(Reason.REPLACED).filter(_ -> replaced);
        return switch (taint.kind()) {
            case GONE -> Optional.of(Reason.NODE_LOST);
            case REBALANCE_RECOMMENDED -> early;
            case INTERRUPTION_WARNING ->
                early.or(() -> Optional.of(Reason.OTHERS_SERVE).filter(_ -> others))
                        .or(() -> Optional.of(Reason.NOTICE_ENDS).filter(_ -> isLate(pod, taint, now)));
        };
    }

    /** What takes longer than a notice allows ends with the node, whether its pod was told to end or not. */
    private static boolean isLate(RunningPod pod, InterruptionTaint taint, Instant now) {
        Duration needed = pod.grace().compareTo(SpotTimeout.LONGEST) < 0 ? pod.grace() : SpotTimeout.LONGEST;
        return !now.isBefore(taint.until().minus(needed).minus(MARGIN));
    }

    /** Creation times are whole seconds. */
    private static boolean isNew(RunningPod pod, Instant since) {
        return !pod.created().isBefore(since.truncatedTo(ChronoUnit.SECONDS));
    }

    private static Duration grace(RunningPod pod, InterruptionTaint taint, Instant now) {
        Duration left = Duration.between(now, taint.until().minus(MARGIN));
        Duration grace = switch (taint.kind()) {
            case REBALANCE_RECOMMENDED, GONE -> pod.grace();
            case INTERRUPTION_WARNING -> left.compareTo(pod.grace()) < 0 ? left : pod.grace();
        };
        return grace.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : grace;
    }

    /** Replicas from before the interruption stay, and each that leaves has a second one meanwhile. */
    private static Optional<Integer> minimum(
            List<RunningPod> version, Map<String, InterruptionTaint> closed, Set<String> moved) {
        List<RunningPod> leaving = version.stream()
                .filter(pod -> closed.containsKey(pod.node()) && !moved.contains(pod.uid()))
                .toList();
        return leaving.stream()
                .map(pod -> closed.get(pod.node()).since())
                .min(Instant::compareTo)
                .map(since -> 2 * leaving.size()
                        + (int) version.stream()
                                .filter(pod -> !closed.containsKey(pod.node()) && !isNew(pod, since))
                                .count());
    }

    private static boolean lacksSpot(
            List<RunningPod> pods, Map<String, InterruptionTaint> closed, boolean openSpot, Instant now) {
        boolean stranded = !openSpot && pods.stream().anyMatch(pod -> closed.containsKey(pod.node()));
        boolean waits = pods.stream()
                .flatMap(pod -> pod.waiting().stream())
                .anyMatch(since -> !now.isBefore(since.plus(PATIENCE)));
        return stranded || waits;
    }
}
