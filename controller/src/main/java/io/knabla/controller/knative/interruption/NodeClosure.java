package io.knabla.controller.knative.interruption;

import io.knabla.controller.knative.signal.InterruptionTaint;
import io.knabla.controller.knative.signal.InterruptionTaint.Cause;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Decides whether a node takes new replicas: a pure decision. */
sealed interface NodeClosure {
    /** A lost node that is Ready after this time was not lost: by then Kubernetes has noticed. */
    Duration RETURN = Duration.ofMinutes(2);

    /** A node that still runs so long after its announced end was not taken back. */
    Duration LINGER = Duration.ofMinutes(5);

    /** Nothing changes. */
    record Keep() implements NodeClosure {}

    /** The node gets this taint, in place of an earlier one. */
    record Close(InterruptionTaint taint) implements NodeClosure {}

    /** The node loses Knabla's taint. */
    record Reopen() implements NodeClosure {}

    /**
     * @param own Knabla's taint on the node
     * @param tainted signal of another tool's taint on the node
     * @param signal latest signal of the node from any source
     * @param lost whether the node is lost
     * @param ready whether Kubernetes says that the node is Ready
     * @param used whether replicas of functions are on the node
     * @param cordon time for which a drain waits for replacements of spot replicas; empty if there are none on the
     *     node, or if it is not cordoned
     */
    record Facts(
            Optional<InterruptionTaint> own,
            Optional<CapacitySignal> tainted,
            Optional<CapacitySignal> signal,
            boolean lost,
            boolean ready,
            boolean used,
            Optional<Duration> cordon) {}

    static NodeClosure of(Facts node, Instant now) {
        Optional<InterruptionTaint> wanted = wanted(node, now);
        if (wanted.isPresent() && isNews(wanted.get(), node.own())) {
            return new Close(wanted.get());
        }
        return node.own().filter(taint -> isOver(taint, node, now)).isPresent() ? new Reopen() : new Keep();
    }

    private static Optional<InterruptionTaint> wanted(Facts node, Instant now) {
        if (node.lost()) {
            return Optional.of(new InterruptionTaint(Kind.GONE, Cause.UNREACHABLE, now, now.plus(RETURN)));
        }
        // Other tools keep pods off by their own taints, so an unused node needs none of ours.
        return node.tainted()
                .filter(_ -> node.used())
                .map(signal -> taint(signal, Cause.TAINTED, now))
                .or(() -> node.signal()
                        .filter(_ -> node.tainted().isEmpty())
                        .map(signal -> taint(signal, Cause.ANNOUNCED, now)))
                .or(() -> node.cordon()
                        .map(limit -> new InterruptionTaint(
                                Kind.REBALANCE_RECOMMENDED, Cause.CORDONED, now, now.plus(limit))));
    }

    private static InterruptionTaint taint(CapacitySignal signal, Cause cause, Instant now) {
        return new InterruptionTaint(signal.kind(), cause, now, signal.until());
    }

    private static boolean isNews(InterruptionTaint wanted, Optional<InterruptionTaint> own) {
        return own.filter(before -> before.kind().compareTo(wanted.kind()) >= 0).isEmpty();
    }

    private static boolean isOver(InterruptionTaint own, Facts node, Instant now) {
        return switch (own.cause()) {
            case TAINTED -> node.tainted().isEmpty();
            case CORDONED -> node.cordon().isEmpty();
            case UNREACHABLE -> node.ready() && !now.isBefore(own.until());
            case ANNOUNCED -> node.ready() && !now.isBefore(own.until().plus(linger(own.kind())));
        };
    }

    private static Duration linger(Kind kind) {
        return switch (kind) {
            case REBALANCE_RECOMMENDED -> Duration.ZERO;
            case INTERRUPTION_WARNING, GONE -> LINGER;
        };
    }
}
