package io.knabla.controller.cluster.knative.diagnose;

import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.cluster.knative.diagnose.Trouble.Stage;
import io.knabla.controller.cluster.knative.manifest.Blocker;
import io.knabla.controller.cluster.knative.manifest.SlotPlan;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Computes the condition {@code Placed}: whether every replica has a node. */
final class Placed {
    private static final int NODES_SHOWN = 5;

    private Placed() {}

    static Verdict judge(Scene scene) {
        return hindered(scene.sight().blockers()).or(() -> misplaced(scene)).orElseGet(() -> placed(scene));
    }

    static Optional<Verdict> hindered(List<Blocker> blockers) {
        return blockers.isEmpty()
                ? Optional.empty()
                : Optional.of(Verdict.no(
                        blockers.getFirst().reason(),
                        blockers.stream().map(Blocker::message).distinct().collect(Collectors.joining("; "))));
    }

    private static Optional<Verdict> misplaced(Scene scene) {
        return scene.wanted().stream()
                .flatMap(version -> scene.troubles(version).stream()
                        .filter(trouble -> trouble.stage() == Stage.PLACING)
                        .map(trouble -> trouble.verdict(version)))
                .findFirst();
    }

    private static Verdict placed(Scene scene) {
        if (scene.newest().isEmpty()) {
            return Verdict.unknown("NotPackaged", "there is no version yet: see Packaged");
        }
        List<Pod> pods = scene.wantedPods();
        if (pods.isEmpty()) {
            return none(scene);
        }
        long waiting = pods.stream().filter(pod -> Pods.node(pod).isEmpty()).count();
        return waiting > 0
                ? Verdict.unknown("Scheduling", "%d of %d replicas have no node yet".formatted(waiting, pods.size()))
                : reasoned(scene, Verdict.yes("Placed", where(pods)));
    }

    private static Verdict none(Scene scene) {
        boolean asleep = scene.wantedRevisions().stream().anyMatch(Revisions::ready);
        return asleep
                ? reasoned(scene, Verdict.yes("ScaledToZero", "no replica runs now; the next request starts one"))
                : Verdict.unknown("Starting", "no replica was made yet");
    }

    private static Verdict reasoned(Scene scene, Verdict verdict) {
        return scene.sight()
                .plan()
                .map(SlotPlan::reason)
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
        String shown = nodes.stream().limit(NODES_SHOWN).collect(Collectors.joining(", "));
        return nodes.size() > NODES_SHOWN
                ? "on %s and %d more nodes".formatted(shown, nodes.size() - NODES_SHOWN)
                : "on " + shown;
    }
}
