package io.knabla.controller.knative.status;

import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.knative.manifest.Blocker;
import io.knabla.controller.knative.manifest.PlacementPlan;
import io.knabla.controller.knative.resource.Reason;
import io.knabla.controller.knative.status.Trouble.Stage;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Computes the condition {@code Placed}: whether every replica has a node. */
final class PlacedCondition {
    private static final int NODES_SHOWN = 5;

    private PlacedCondition() {}

    static ConditionResult evaluate(VersionStates states) {
        return blocked(states.input().blockers()).or(() -> unscheduled(states)).orElseGet(() -> placed(states));
    }

    static Optional<ConditionResult> blocked(List<Blocker> blockers) {
        return blockers.isEmpty()
                ? Optional.empty()
                : Optional.of(ConditionResult.no(
                        blockers.getFirst().reason(),
                        blockers.stream().map(Blocker::message).distinct().collect(Collectors.joining("; "))));
    }

    private static Optional<ConditionResult> unscheduled(VersionStates states) {
        return states.expectedVersions().stream()
                .flatMap(version -> states.troubles(version).stream()
                        .filter(trouble -> trouble.stage() == Stage.PLACING)
                        .map(trouble -> trouble.verdict(version)))
                .findFirst();
    }

    private static ConditionResult placed(VersionStates states) {
        if (states.newest().isEmpty()) {
            return ConditionResult.unknown(Reason.NotPackaged, "there is no version yet: see Packaged");
        }
        List<Pod> pods = states.expectedPods();
        if (pods.isEmpty()) {
            return none(states);
        }
        long waiting = pods.stream().filter(pod -> Pods.node(pod).isEmpty()).count();
        return waiting > 0
                ? ConditionResult.unknown(
                        Reason.Scheduling, "%d of %d replicas have no node yet".formatted(waiting, pods.size()))
                : withPlanReason(states, ConditionResult.yes(Reason.Placed, where(pods)));
    }

    private static ConditionResult none(VersionStates states) {
        boolean asleep = states.expectedRevisions().stream().anyMatch(Revisions::ready);
        return asleep
                ? withPlanReason(
                        states,
                        ConditionResult.yes(Reason.ScaledToZero, "no replica runs now; the next request starts one"))
                : ConditionResult.unknown(Reason.Starting, "no replica was made yet");
    }

    private static ConditionResult withPlanReason(VersionStates states, ConditionResult verdict) {
        return states.input()
                .plan()
                .map(PlacementPlan::reason)
                .filter(reason -> !reason.isBlank())
                .map(verdict::and)
                .orElse(verdict);
    }

    private static String where(List<Pod> pods) {
        List<String> nodes = pods.stream()
                .flatMap(pod -> Pods.node(pod).stream())
                .distinct()
                .sorted()
                .toList();
        if (nodes.size() == 1 && pods.size() > 1) {
            return "on %s alone: without this node, none of %d replicas is left"
                    .formatted(nodes.getFirst(), pods.size());
        }
        String shown = nodes.stream().limit(NODES_SHOWN).collect(Collectors.joining(", "));
        return nodes.size() > NODES_SHOWN
                ? "on %s and %d more nodes".formatted(shown, nodes.size() - NODES_SHOWN)
                : "on " + shown;
    }
}
