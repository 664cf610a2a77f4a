package io.knabla.controller.knative.interruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.knative.signal.InterruptionTaint;
import io.knabla.controller.knative.signal.InterruptionTaint.Cause;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrainHoldTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Optional<InterruptionTaint> OPEN = Optional.empty();

    private static Optional<InterruptionTaint> closed(Kind kind, int until) {
        return Optional.of(new InterruptionTaint(kind, Cause.CORDONED, NOW, NOW.plusSeconds(until)));
    }

    private static DrainHold.Facts on(List<Optional<InterruptionTaint>> nodes) {
        return new DrainHold.Facts(nodes, true, false, LIMIT);
    }

    private static DrainHold after(int seconds, DrainHold.Facts facts) {
        return DrainHold.of(facts, NOW.plusSeconds(seconds));
    }

    @Test
    void aReplicaOnAnOpenNodeIsHeldForADrainToCome() {
        assertThat(after(0, on(List.of()))).isEqualTo(DrainHold.NO_REPLICA);
        assertThat(after(0, on(List.of(OPEN)))).isEqualTo(DrainHold.STANDS_BY);
        assertThat(after(999, on(List.of(closed(Kind.REBALANCE_RECOMMENDED, 60), OPEN))))
                .isEqualTo(DrainHold.STANDS_BY);
    }

    @ParameterizedTest
    @CsvSource({
        // kind,                until, after, decision
        "REBALANCE_RECOMMENDED, 60,    59,    AWAITS_REPLACEMENT",
        "REBALANCE_RECOMMENDED, 60,    60,    LIMIT",
        // A recommendation lapses after an hour, a drain must not wait that long.
        "REBALANCE_RECOMMENDED, 3600,  60,    LIMIT",
        "REBALANCE_RECOMMENDED, 30,    30,    LIMIT",
        // The provider's notice is longer than the limit.
        "INTERRUPTION_WARNING,  120,   119,   AWAITS_REPLACEMENT",
        "INTERRUPTION_WARNING,  120,   120,   LIMIT",
        "GONE,                  120,   0,     LIMIT"
    })
    void noHoldIsLongerThanTheNoticeOrTheLimit(Kind kind, int until, int after, DrainHold decision) {
        assertThat(after(after, on(List.of(closed(kind, until))))).isEqualTo(decision);
    }

    @Test
    void theNodeThatClosedLastCounts() {
        var later = Optional.of(new InterruptionTaint(
                Kind.REBALANCE_RECOMMENDED, Cause.CORDONED, NOW.plusSeconds(30), NOW.plusSeconds(90)));
        assertThat(after(89, on(List.of(closed(Kind.REBALANCE_RECOMMENDED, 60), later))))
                .isEqualTo(DrainHold.AWAITS_REPLACEMENT);
        assertThat(after(90, on(List.of(closed(Kind.REBALANCE_RECOMMENDED, 60), later))))
                .isEqualTo(DrainHold.LIMIT);
    }

    @Test
    void nothingIsHeldThatRequestsDoNotReachOrOthersHold() {
        List<Optional<InterruptionTaint>> closed = List.of(closed(Kind.REBALANCE_RECOMMENDED, 60));
        assertThat(after(1, new DrainHold.Facts(closed, false, false, LIMIT))).isEqualTo(DrainHold.ROUTED_AWAY);
        assertThat(after(1, new DrainHold.Facts(closed, true, true, LIMIT))).isEqualTo(DrainHold.OTHER_BUDGET);
        assertThat(after(1, new DrainHold.Facts(List.of(OPEN), true, false, Duration.ZERO)))
                .isEqualTo(DrainHold.OFF);
    }

    @Test
    void whatIsHeldIsSaidByTheReason() {
        assertThat(Stream.of(DrainHold.values()).filter(DrainHold::holds))
                .containsExactly(DrainHold.STANDS_BY, DrainHold.AWAITS_REPLACEMENT);
    }
}
