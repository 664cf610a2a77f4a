package io.knabla.controller.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.scale.KpaDecider.Decision;
import io.knabla.controller.scale.KpaDecider.Memory;
import io.knabla.controller.scale.KpaDecider.Recommendation;
import io.knabla.controller.scale.KpaDecider.ScaleReason;
import io.knabla.controller.scale.KpaDecider.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests single decisions at the limits of each rule, and the reasons that they give. */
class KpaReasonsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
    private static final Memory RUNNING = new Memory(Optional.empty(), 0, List.of(), true);

    /** A goal of 7 of 10; at most doubled or halved. */
    private static KpaPolicy policy(int initial, int min, int max, Duration delay, int activation) {
        return new KpaPolicy(
                10,
                Optional.empty(),
                0.7,
                Duration.ofSeconds(60),
                10,
                2.0,
                2.0,
                2.0,
                Optional.ofNullable(delay),
                activation,
                initial,
                min,
                max,
                Duration.ofSeconds(90));
    }

    private static final KpaPolicy PLAIN = policy(1, 0, 100, null, 1);

    private static Signal signal(double stable, double panic, int ready, int idle) {
        return new Signal(NOW, stable, panic, ready, true, Duration.ofSeconds(idle));
    }

    private static Decision decide(KpaPolicy policy, Signal signal) {
        return KpaDecider.decide(policy, signal, RUNNING);
    }

    @ParameterizedTest(name = "{0} {1} ready={2} idle={3} -> {4} {5}")
    @CsvSource(textBlock = """
            # stable, panic, ready, idle, replicas, why
            7,    7,    1, 0,  1, FOLLOWING_LOAD
            7.01, 7.01, 1, 0,  2, PANICKING
            14,   7,    1, 0,  2, FOLLOWING_LOAD
            14.1, 7,    1, 0,  2, RISING_AT_MAX_RATE
            7,    7,    2, 0,  1, FOLLOWING_LOAD
            7,    7,    4, 0,  2, FALLING_AT_MAX_RATE
            14,   14,   4, 0,  2, FOLLOWING_LOAD
            0,    0,    1, 0,  0, FOLLOWING_LOAD
            0,    0,    1, 1,  1, WAITING_OUT_IDLE
            0,    0,    1, 89, 1, WAITING_OUT_IDLE
            0,    0,    1, 90, 0, IDLE
            0,    0,    0, 1,  0, FOLLOWING_LOAD
            0.1,  0,    0, 0,  1, FOLLOWING_LOAD
            40,   49,   4, 0,  6, FOLLOWING_LOAD
            40,   50,   4, 0,  8, PANICKING
            """)
    void decidesForOneLoad(double stable, double panic, int ready, int idle, int replicas, ScaleReason why) {
        Decision decision = decide(PLAIN, signal(stable, panic, ready, idle));
        assertThat(decision.replicas()).isEqualTo(replicas);
        assertThat(decision.why()).isEqualTo(why);
        assertThat(decision.reason()).isNotBlank();
    }

    @Test
    void reasonsContainTheirNumbers() {
        String load = "3.00 requests at once over 60 s (4.00 over 6 s), 7.00 wanted per replica, 1 ready";
        assertThat(decide(PLAIN, signal(3, 4, 1, 0)).reason()).isEqualTo(load);
        assertThat(decide(PLAIN, signal(30, 4, 1, 0)).reason())
                .startsWith("rising no faster than x2.0: 30.00 requests");
        assertThat(decide(PLAIN, signal(3, 4, 4, 0)).reason())
                .startsWith("falling no faster than 1/2.0, wanted 2: 3.00 requests");
        assertThat(decide(PLAIN, signal(3, 40, 1, 0)).reason())
                .startsWith("panic mode, the highest count is kept: 3.00");
        assertThat(decide(PLAIN, signal(0, 0, 1, 7)).reason()).isEqualTo("idle for 7 s of 90 s");
        assertThat(decide(PLAIN, signal(0, 0, 1, 91)).reason()).isEqualTo("no request for 91 s");
        assertThat(decide(policy(1, 3, 9, null, 1), signal(3, 4, 1, 0)).reason())
                .isEqualTo("scaling.min or keepWarm is 3");
        assertThat(decide(policy(1, 0, 1, null, 1), signal(14, 7, 1, 0)).reason())
                .startsWith("scaling.max is 1: 14.00");
        assertThat(KpaDecider.decide(PLAIN, signal(0, 0, 0, 0), Memory.fresh()).reason())
                .isEqualTo("started once to prove that it works");
    }

    @Test
    void versionWithoutTrafficNeedsNoReplica() {
        var signal = new Signal(NOW, 0, 0, 4, false, Duration.ZERO);
        Decision decision = decide(policy(1, 3, 9, null, 1), signal);
        assertThat(decision.replicas()).isZero();
        assertThat(decision.why()).isEqualTo(ScaleReason.NO_TRAFFIC);
        assertThat(decision.reason()).isEqualTo("no traffic is sent to this version");

        // Calls that name the version still count.
        var called = new Signal(NOW, 3, 3, 1, false, Duration.ZERO);
        assertThat(decide(PLAIN, called).replicas()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 2, PROVING, false", "1, 2, PROVING, false", "2, 2, PROVING, true", "3, 3, PROVING, true"})
    void aFreshVersionIsStartedUntilItsInitialScaleIsReached(
            int ready, int most, ScaleReason ignored, boolean started) {
        Decision decision = KpaDecider.decide(policy(2, 0, 9, null, 1), signal(0, 0, ready, 0), Memory.fresh());
        assertThat(decision.next().started()).isEqualTo(started);
        assertThat(decision.why() == ignored).isEqualTo(!started);
        assertThat(decision.replicas()).isLessThanOrEqualTo(most);
    }

    @ParameterizedTest
    @CsvSource({"0, false, 0", "1, false, 1", "2, true, 2"})
    void aRestartedAutoscalerPanicsOverSeveralReplicas(int ready, boolean panics, int maximum) {
        Memory memory = Memory.resumed(NOW, ready);
        assertThat(memory.panicSince()).isEqualTo(panics ? Optional.of(NOW) : Optional.empty());
        assertThat(memory.panicMaximum()).isEqualTo(maximum);
        assertThat(memory.started()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"59, 9, PANICKING", "60, 1, FOLLOWING_LOAD", "61, 1, FOLLOWING_LOAD"})
    void panicLastsOneStableWindow(int secondsAgo, int replicas, ScaleReason why) {
        Instant since = NOW.minusSeconds(secondsAgo);
        Decision decision =
                KpaDecider.decide(PLAIN, signal(7, 7, 2, 0), new Memory(Optional.of(since), 9, List.of(), true));
        assertThat(decision.replicas()).isEqualTo(replicas);
        assertThat(decision.why()).isEqualTo(why);
        boolean lasts = why == ScaleReason.PANICKING;
        assertThat(decision.next().panicSince()).isEqualTo(lasts ? Optional.of(since) : Optional.empty());
        assertThat(decision.next().panicMaximum()).isEqualTo(lasts ? 9 : 0);
    }

    @Test
    void newPanicForgetsThePreviousOne() {
        Memory over = new Memory(Optional.empty(), 50, List.of(), true);
        Decision decision = KpaDecider.decide(PLAIN, signal(14, 14, 1, 0), over);
        assertThat(decision.replicas()).isEqualTo(2);
        assertThat(decision.next().panicSince()).contains(NOW);
        assertThat(decision.next().panicMaximum()).isEqualTo(2);

        Memory lasting = new Memory(Optional.of(NOW.minusSeconds(5)), 50, List.of(), true);
        Decision renewed = KpaDecider.decide(PLAIN, signal(14, 14, 1, 0), lasting);
        assertThat(renewed.replicas()).isEqualTo(50);
        assertThat(renewed.next().panicSince()).contains(NOW);
    }

    @Test
    void highestCountWithinTheDelayIsKept() {
        KpaPolicy delayed = policy(1, 0, 100, Duration.ofSeconds(30), 1);
        Recommendation atTheEdge = new Recommendation(NOW.minusSeconds(30), 5);
        Recommendation tooOld = new Recommendation(NOW.minusSeconds(31), 9);
        Memory memory = new Memory(Optional.empty(), 0, List.of(tooOld, atTheEdge), true);

        Decision decision = KpaDecider.decide(delayed, signal(7, 7, 2, 0), memory);

        assertThat(decision.replicas()).isEqualTo(5);
        assertThat(decision.why()).isEqualTo(ScaleReason.DELAYING_SCALE_DOWN);
        assertThat(decision.reason()).startsWith("the highest count of the last PT30S is kept: 7.00");
        assertThat(decision.next().recent()).containsExactly(atTheEdge, new Recommendation(NOW, 1));
        assertThat(KpaDecider.decide(PLAIN, signal(7, 7, 2, 0), memory).next().recent())
                .isEmpty();
        var unreachable = new Signal(NOW, 7, 7, 2, false, Duration.ZERO);
        assertThat(KpaDecider.decide(delayed, unreachable, memory).replicas()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 3", "7, 3", "28, 4"})
    void activatedVersionHasAtLeastItsActivationScale(double load, int replicas) {
        // Panic is out of the way with a load that two ready replicas carry.
        Decision decision = decide(policy(1, 0, 100, null, 3), signal(load, 0, 2, 0));
        assertThat(decision.replicas()).isEqualTo(load == 0 ? 1 : replicas);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -1 | 0.7  | 60000 | 10  | 2   | 2   | 2   | 1 | 1  | 0  | 1 | 0  | capacity must not be negative
            1  | 0    | 60000 | 10  | 2   | 2   | 2   | 1 | 1  | 0  | 1 | 0  | utilization must be in (0, 1], was 0.0
            1  | 1.01 | 60000 | 10  | 2   | 2   | 2   | 1 | 1  | 0  | 1 | 0  | utilization must be in (0, 1]
            1  | 0.7  | 999   | 10  | 2   | 2   | 2   | 1 | 1  | 0  | 1 | 0  | stableWindow must be at least 1 s
            1  | 0.7  | 60000 | 0   | 2   | 2   | 2   | 1 | 1  | 0  | 1 | 0  | panicWindowPercent
            1  | 0.7  | 60000 | 101 | 2   | 2   | 2   | 1 | 1  | 0  | 1 | 0  | panicWindowPercent
            1  | 0.7  | 60000 | 10  | 1   | 2   | 2   | 1 | 1  | 0  | 1 | 0  | panicThreshold must exceed 1
            1  | 0.7  | 60000 | 10  | 2   | 1   | 2   | 1 | 1  | 0  | 1 | 0  | maxScaleUpRate must exceed 1
            1  | 0.7  | 60000 | 10  | 2   | 2   | 1   | 1 | 1  | 0  | 1 | 0  | maxScaleDownRate must exceed 1
            1  | 0.7  | 60000 | 10  | 2   | 2   | 2   | 0 | 1  | 0  | 1 | 0  | activationScale
            1  | 0.7  | 60000 | 10  | 2   | 2   | 2   | 1 | -1 | 0  | 1 | 0  | initialScale
            1  | 0.7  | 60000 | 10  | 2   | 2   | 2   | 1 | 1  | -1 | 1 | 0  | 0 <= min <= max >= 1, was -1..1
            1  | 0.7  | 60000 | 10  | 2   | 2   | 2   | 1 | 1  | 2  | 1 | 0  | 0 <= min <= max >= 1, was 2..1
            1  | 0.7  | 60000 | 10  | 2   | 2   | 2   | 1 | 1  | 0  | 0 | 0  | 0 <= min <= max >= 1, was 0..0
            1  | 0.7  | 60000 | 10  | 2   | 2   | 2   | 1 | 1  | 0  | 1 | -1 | idleAfter must not be negative
            0  | 1    | 1000  | 100 | 1.1 | 1.1 | 1.1 | 1 | 0  | 1  | 1 | 0  | -
            """)
    void policiesAreChecked(org.junit.jupiter.params.aggregator.ArgumentsAccessor row) {
        String message = row.getString(12);
        if (message.equals("-")) {
            assertThat(policy(row).goal()).isEqualTo(100);
        } else {
            assertThatThrownBy(() -> policy(row))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(message);
        }
    }

    private static KpaPolicy policy(org.junit.jupiter.params.aggregator.ArgumentsAccessor row) {
        return new KpaPolicy(
                row.getInteger(0),
                Optional.empty(),
                row.getDouble(1),
                Duration.ofMillis(row.getLong(2)),
                row.getDouble(3),
                row.getDouble(4),
                row.getDouble(5),
                row.getDouble(6),
                Optional.empty(),
                row.getInteger(7),
                row.getInteger(8),
                row.getInteger(9),
                row.getInteger(10),
                Duration.ofMillis(row.getLong(11)));
    }
}
