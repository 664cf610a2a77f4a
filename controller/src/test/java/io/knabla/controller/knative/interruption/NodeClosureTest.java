package io.knabla.controller.knative.interruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.knative.interruption.NodeClosure.Close;
import io.knabla.controller.knative.interruption.NodeClosure.Facts;
import io.knabla.controller.knative.interruption.NodeClosure.Keep;
import io.knabla.controller.knative.interruption.NodeClosure.Reopen;
import io.knabla.controller.knative.signal.InterruptionTaint;
import io.knabla.controller.knative.signal.InterruptionTaint.Cause;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeClosureTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
    private static final Instant END = NOW.plusSeconds(120);
    private static final Optional<CapacitySignal> WARNING = signal(Kind.INTERRUPTION_WARNING);
    private static final Facts QUIET =
            new Facts(Optional.empty(), Optional.empty(), Optional.empty(), false, true, true, Optional.empty());

    private static Optional<CapacitySignal> signal(Kind kind) {
        return Optional.of(new CapacitySignal("a", kind, END));
    }

    private static InterruptionTaint taint(Kind kind, Cause cause) {
        return new InterruptionTaint(kind, cause, NOW, END);
    }

    private static Facts tainted(InterruptionTaint own) {
        return new Facts(Optional.of(own), Optional.empty(), signal(own.kind()), false, true, true, Optional.empty());
    }

    private static NodeClosure at(Facts node, Duration after) {
        return NodeClosure.of(node, NOW.plus(after));
    }

    @Test
    void aNodeWithoutASignalStaysAsItIs() {
        assertThat(at(QUIET, Duration.ZERO)).isEqualTo(new Keep());
    }

    @Test
    void aSignalClosesANode() {
        assertThat(at(
                        new Facts(Optional.empty(), WARNING, WARNING, false, true, true, Optional.empty()),
                        Duration.ZERO))
                .isEqualTo(new Close(taint(Kind.INTERRUPTION_WARNING, Cause.TAINTED)));
        assertThat(at(
                        new Facts(Optional.empty(), Optional.empty(), WARNING, false, true, false, Optional.empty()),
                        Duration.ZERO))
                .isEqualTo(new Close(taint(Kind.INTERRUPTION_WARNING, Cause.ANNOUNCED)));
        assertThat(at(
                        new Facts(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                true,
                                true,
                                true,
                                Optional.empty()),
                        Duration.ZERO))
                .isEqualTo(new Close(taint(Kind.GONE, Cause.UNREACHABLE)));
    }

    @Test
    void aTaintedNodeWithoutReplicasNeedsNoTaint() {
        assertThat(at(
                        new Facts(Optional.empty(), WARNING, WARNING, false, true, false, Optional.empty()),
                        Duration.ZERO))
                .isEqualTo(new Keep());
    }

    @Test
    void aStrongerSignalReplacesAWeakerOneAndNothingElseDoes() {
        var recommended = Optional.of(taint(Kind.REBALANCE_RECOMMENDED, Cause.ANNOUNCED));
        assertThat(at(
                        new Facts(recommended, Optional.empty(), WARNING, false, true, true, Optional.empty()),
                        Duration.ZERO))
                .isEqualTo(new Close(taint(Kind.INTERRUPTION_WARNING, Cause.ANNOUNCED)));
        var gone = Optional.of(taint(Kind.GONE, Cause.UNREACHABLE));
        assertThat(at(
                        new Facts(gone, WARNING, signal(Kind.GONE), true, false, true, Optional.empty()),
                        Duration.ofHours(1)))
                .isEqualTo(new Keep());
    }

    @Test
    void theTaintGoesWithThatOfTheOtherTool() {
        InterruptionTaint own = taint(Kind.INTERRUPTION_WARNING, Cause.TAINTED);
        Facts stays = new Facts(Optional.of(own), WARNING, WARNING, false, true, true, Optional.empty());
        assertThat(at(stays, Duration.ofHours(1))).isEqualTo(new Keep());
        assertThat(at(tainted(own), Duration.ZERO)).isEqualTo(new Reopen());
    }

    @Test
    void aNodeThatOutlivesItsEndTakesReplicasAgain() {
        InterruptionTaint own = taint(Kind.INTERRUPTION_WARNING, Cause.ANNOUNCED);
        Duration over = Duration.ofSeconds(120).plus(NodeClosure.LINGER);
        assertThat(at(tainted(own), over.minusMillis(1))).isEqualTo(new Keep());
        assertThat(at(tainted(own), over)).isEqualTo(new Reopen());
        assertThat(at(tainted(taint(Kind.REBALANCE_RECOMMENDED, Cause.ANNOUNCED)), Duration.ofSeconds(120)))
                .isEqualTo(new Reopen());
    }

    @Test
    void aLostNodeReturnsIfItIsReadyThen() {
        InterruptionTaint own = taint(Kind.GONE, Cause.UNREACHABLE);
        Facts unready =
                new Facts(Optional.of(own), Optional.empty(), signal(Kind.GONE), false, false, true, Optional.empty());
        assertThat(at(unready, Duration.ofHours(1))).isEqualTo(new Keep());
        assertThat(at(tainted(own), NodeClosure.RETURN.minusMillis(1))).isEqualTo(new Keep());
        assertThat(at(tainted(own), NodeClosure.RETURN)).isEqualTo(new Reopen());
    }

    @Test
    void aCordonClosesANodeUntilItEndsOrTheProviderTakesTheNode() {
        Optional<Duration> limit = Optional.of(Duration.ofSeconds(120));
        Facts cordoned = new Facts(Optional.empty(), Optional.empty(), Optional.empty(), false, true, true, limit);
        InterruptionTaint own = taint(Kind.REBALANCE_RECOMMENDED, Cause.CORDONED);
        assertThat(at(cordoned, Duration.ZERO)).isEqualTo(new Close(own));

        Facts closed = new Facts(Optional.of(own), Optional.empty(), Optional.empty(), false, true, true, limit);
        assertThat(at(closed, Duration.ofHours(1))).isEqualTo(new Keep());
        Facts taken = new Facts(Optional.of(own), WARNING, WARNING, false, true, true, limit);
        assertThat(at(taken, Duration.ZERO)).isEqualTo(new Close(taint(Kind.INTERRUPTION_WARNING, Cause.TAINTED)));

        Facts open =
                new Facts(Optional.of(own), Optional.empty(), Optional.empty(), false, true, true, Optional.empty());
        assertThat(at(open, Duration.ZERO)).isEqualTo(new Reopen());
    }
}
