package io.knabla.controller.knative.signal;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads what a node's taints say of its end: those of the <a
 * href="https://github.com/aws/aws-node-termination-handler">AWS Node Termination Handler</a>, of Karpenter, GKE, the
 * cloud controllers and the Cluster Autoscaler. Pure.
 */
public final class NodeTaints {
    /** Between the taint and the end of a node; a taint does not say when that is. */
    static final Duration NOTICE = Duration.ofMinutes(2);

    /** After this time a recommended node is as good as any other. */
    static final Duration LAPSE = Duration.ofHours(1);

    private static final Map<String, Kind> KINDS = Map.of(
            "aws-node-termination-handler/spot-itn", Kind.INTERRUPTION_WARNING,
            "aws-node-termination-handler/scheduled-maintenance", Kind.INTERRUPTION_WARNING,
            "aws-node-termination-handler/asg-lifecycle-termination", Kind.INTERRUPTION_WARNING,
            "aws-node-termination-handler/rebalance-recommendation", Kind.REBALANCE_RECOMMENDED,
            "karpenter.sh/disrupted", Kind.INTERRUPTION_WARNING,
            "cloud.google.com/impending-node-termination", Kind.INTERRUPTION_WARNING,
            "node.cloudprovider.kubernetes.io/shutdown", Kind.INTERRUPTION_WARNING,
            "ToBeDeletedByClusterAutoscaler", Kind.INTERRUPTION_WARNING);

    private NodeTaints() {}

    /** Returns the strongest signal of all taints, Knabla's included; empty if no taint announces anything. */
    static Optional<CapacitySignal> signal(Node node, Instant now) {
        // Knabla's is the first, because its end is exact.
        return strongest(Stream.concat(
                // A cordon is no signal of the provider.
                InterruptionTaint.of(node).stream()
                        .filter(own -> own.cause() != InterruptionTaint.Cause.CORDONED)
                        .map(own -> new CapacitySignal(node.getMetadata().getName(), own.kind(), own.until())),
                announced(node, now).stream()));
    }

    /** Returns the strongest signal of the taints of other tools. */
    public static Optional<CapacitySignal> announced(Node node, Instant now) {
        return strongest(taints(node).stream()
                .flatMap(taint -> Optional.ofNullable(KINDS.get(taint.getKey())).stream()
                        .map(kind -> new CapacitySignal(
                                node.getMetadata().getName(),
                                kind,
                                added(taint, now).plus(notice(kind)).truncatedTo(ChronoUnit.MILLIS)))));
    }

    private static Optional<CapacitySignal> strongest(Stream<CapacitySignal> signals) {
        return signals.max(Comparator.comparing(CapacitySignal::kind));
    }

    private static Duration notice(Kind kind) {
        return switch (kind) {
            case REBALANCE_RECOMMENDED -> LAPSE;
            case INTERRUPTION_WARNING, GONE -> NOTICE;
        };
    }

    /** Kubernetes notes the time of taints that evict only. */
    private static Instant added(Taint taint, Instant now) {
        return Optional.ofNullable(taint.getTimeAdded()).map(Instant::parse).orElse(now);
    }

    static List<Taint> taints(Node node) {
        return node.getSpec() == null || node.getSpec().getTaints() == null
                ? List.of()
                : node.getSpec().getTaints();
    }
}
