package io.knabla.controller.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.knabla.controller.scale.KpaDecider.Decision;
import io.knabla.controller.scale.KpaDecider.Memory;
import io.knabla.controller.scale.KpaDecider.ScaleReason;
import io.knabla.controller.scale.KpaDecider.Signal;
import io.knabla.controller.standin.Specs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests Knative's formula with named scenarios, with properties, and against a simple reference implementation. */
class KpaDeciderTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Memory RUNNING = Memory.resumed(START, 0);

    /** Capacity 10 at 0.7: one replica is wanted for every 7 requests at once. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # scenario                               | stable | panic | ready | reachable | idle s | replicas why
            steady load keeps its replicas           | 14     | 14    | 2     | true      | 0      | 2 FOLLOWING_LOAD
            a bit more than fits rounds up           | 14.1   | 14.1  | 2     | true      | 0      | 3 FOLLOWING_LOAD
            the first request wakes                  | 1      | 1     | 0     | true      | 0      | 1 FOLLOWING_LOAD
            twice what the ready ones take is panic  | 10     | 28    | 2     | true      | 0      | 4 PANICKING
            just below twice is none                 | 14     | 21    | 2     | true      | 0      | 2 FOLLOWING_LOAD
            at most half go at once                  | 7      | 7     | 9     | true      | 0      | 4 FALLING_AT_MAX_RATE
            unreachable ones go at once              | 7      | 7     | 9     | false     | 0      | 1 FOLLOWING_LOAD
            one that was idle too briefly stays      | 0      | 0     | 1     | true      | 59     | 1 WAITING_OUT_IDLE
            idle for long enough                     | 0      | 0     | 1     | true      | 60     | 0 IDLE
            idle, though the window remembers load   | 3      | 0     | 4     | true      | 60     | 0 IDLE
            no traffic and nobody                    | 0      | 0     | 0     | false     | 5      | 0 NO_TRAFFIC
            the most allowed                         | 900    | 900   | 90    | true      | 0      | 100 AT_MAXIMUM
            """)
    void decides(String scenario, double stable, double panic, int ready, boolean reachable, long idle, String answer) {
        Signal signal = new Signal(START, stable, panic, ready, reachable, Duration.ofSeconds(idle));

        Decision decision = KpaDecider.decide(Policies.knative().policy(), signal, RUNNING);

        assertThat(decision.replicas() + " " + decision.why()).isEqualTo(answer);
        assertThat(decision.reason()).isNotBlank();
    }

    @Test
    void risesNoFasterThanTheRate() {
        KpaPolicy policy = Policies.knative().scaleUpRate(3).policy();

        Decision decision = KpaDecider.decide(policy, signal(0, 700, 10, 2), RUNNING);

        assertThat(decision.replicas()).isEqualTo(6);
        assertThat(decision.why()).isEqualTo(ScaleReason.RISING_AT_MAX_RATE);
    }

    @Test
    void panicNeverScalesDownAndEndsOneWindowAfterTheLastPeak() {
        KpaPolicy policy = Policies.knative().policy();
        Decision peak = KpaDecider.decide(policy, signal(0, 10, 70, 1), RUNNING);
        Decision calm = KpaDecider.decide(policy, signal(59, 7, 7, 10), peak.next());
        Decision over = KpaDecider.decide(policy, signal(60, 7, 7, 2), calm.next());

        assertThat(List.of(peak.replicas(), calm.replicas(), over.replicas())).containsExactly(10, 10, 1);
        assertThat(over.next().panicSince()).isEmpty();
    }

    @Test
    void newPeakExtendsPanic() {
        KpaPolicy policy = Policies.knative().policy();
        Decision first = KpaDecider.decide(policy, signal(0, 10, 70, 1), RUNNING);
        Decision second = KpaDecider.decide(policy, signal(50, 10, 42, 2), first.next());
        Decision later = KpaDecider.decide(policy, signal(100, 7, 7, 10), second.next());

        assertThat(later.why()).isEqualTo(ScaleReason.PANICKING);
        assertThat(later.replicas()).isEqualTo(10);
    }

    @Test
    void anAutoscalerRestartedOverSeveralReplicasPanics() {
        Memory resumed = Memory.resumed(START, 5);

        Decision decision = KpaDecider.decide(Policies.knative().policy(), signal(2, 0, 0, 5), resumed);

        assertThat(decision.replicas()).isEqualTo(5);
        assertThat(Memory.resumed(START, 1).panicSince()).isEmpty();
    }

    @Test
    void scaleDownDelayKeepsTheHighestCount() {
        KpaPolicy policy = Policies.knative().delay(Duration.ofSeconds(30)).policy();
        Decision high = KpaDecider.decide(policy, signal(0, 28, 28, 4), RUNNING);
        Decision kept = KpaDecider.decide(policy, signal(30, 14, 14, 4), high.next());
        Decision gone = KpaDecider.decide(policy, signal(31, 14, 14, 4), kept.next());

        assertThat(kept.replicas()).isEqualTo(4);
        assertThat(kept.why()).isEqualTo(ScaleReason.DELAYING_SCALE_DOWN);
        assertThat(gone.replicas()).isEqualTo(2);
    }

    @Test
    void minimumAppliesOnlyWithTraffic() {
        KpaPolicy policy = Policies.knative().bounds(2, 5).policy();
        Signal idle = new Signal(START, 0, 0, 2, true, Duration.ofHours(1));
        Signal unreachable = new Signal(START, 0, 0, 2, false, Duration.ofHours(1));

        assertThat(KpaDecider.decide(policy, idle, RUNNING).replicas()).isEqualTo(2);
        assertThat(KpaDecider.decide(policy, unreachable, RUNNING).replicas()).isZero();
    }

    @Test
    void aFreshVersionProvesItselfOnce() {
        KpaPolicy policy = Policies.knative().idleAfter(Duration.ofSeconds(1)).policy();
        Signal idle = new Signal(START, 0, 0, 0, true, Duration.ofHours(1));
        Signal ready = new Signal(START, 0, 0, 1, true, Duration.ofHours(1));

        Decision before = KpaDecider.decide(policy, idle, Memory.fresh());
        Decision after = KpaDecider.decide(policy, ready, before.next());

        assertThat(before.why()).isEqualTo(ScaleReason.PROVING);
        assertThat(before.replicas()).isEqualTo(1);
        assertThat(after.replicas()).isZero();
    }

    @Test
    void activationScaleIsTheMinimumAboveZero() {
        KpaPolicy policy = Policies.knative().activation(3).policy();

        assertThat(KpaDecider.decide(policy, signal(0, 1, 1, 0), RUNNING).replicas())
                .isEqualTo(3);
        assertThat(KpaDecider.decide(policy, signal(0, 0, 0, 0), RUNNING).replicas())
                .isZero();
    }

    @Test
    void windowsFollowTheSpec() {
        KpaPolicy soon = KpaPolicy.of(
                Specs.inference().scaling(0, 3, 4, Duration.ofSeconds(1)).spec());
        KpaPolicy late = KpaPolicy.of(
                Specs.inference().scaling(0, 3, 4, Duration.ofHours(1)).spec());
        KpaPolicy batching = KpaPolicy.of(Specs.inference().batching(32).spec());

        assertThat(soon.stableWindow()).isEqualTo(Duration.ofSeconds(6));
        assertThat(soon.panicWindow()).isEqualTo(Duration.ofSeconds(1));
        assertThat(late.stableWindow()).isEqualTo(Duration.ofSeconds(60));
        assertThat(late.panicWindow()).isEqualTo(Duration.ofSeconds(6));
        assertThat(late.goal()).isEqualTo(4 * 0.7);
        assertThat(batching.capacity()).isEqualTo(64);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Policies.knative().bounds(5, 2).policy())
                .withMessageContaining("5..2");
    }

    @Property
    void agreesWithTheReferenceOverAnyHistory(
            @ForAll @Size(min = 1, max = 25) List<@IntRange(max = 60_000) Integer> seeds,
            @ForAll @IntRange(max = 3) int min,
            @ForAll @IntRange(min = 1, max = 3) int activation,
            @ForAll boolean delayed) {
        Policies policies =
                Policies.knative().bounds(min, 40).activation(activation).scaleUpRate(3);
        KpaPolicy policy = (delayed ? policies.delay(Duration.ofSeconds(9)) : policies).policy();
        KpaReference reference = new KpaReference(policy);
        Memory memory = Memory.fresh();
        Instant now = START;
        for (int seed : seeds) {
            now = now.plusSeconds(1 + seed % 7 * (seed % 11 == 0 ? 9 : 1));
            int ready = seed / 7 % 12;
            double stable = seed % 13 == 0 ? 0 : seed % 500 / 5.0;
            double panic = seed % 17 == 0 ? 0 : seed / 100 % 500 / 5.0;
            Duration idle = Duration.ofSeconds(stable == 0 && panic == 0 ? seed % 80 : 0);
            Signal signal = new Signal(now, stable, panic, ready, true, idle);

            Decision decision = KpaDecider.decide(policy, signal, memory);

            assertThat(decision.replicas()).isEqualTo(reference.decide(signal));
            memory = decision.next();
        }
    }

    @Property
    void staysInItsBounds(
            @ForAll @DoubleRange(max = 1e9) double stable,
            @ForAll @DoubleRange(max = 1e9) double panic,
            @ForAll @IntRange(max = 10_000) int ready,
            @ForAll boolean reachable) {
        KpaPolicy policy = Policies.knative().bounds(2, 50).policy();
        Signal signal = new Signal(START, stable, panic, ready, reachable, Duration.ZERO);

        int replicas = KpaDecider.decide(policy, signal, RUNNING).replicas();

        assertThat(replicas).isBetween(reachable ? 2 : 0, 50);
        if (stable > 0) {
            assertThat(replicas).isPositive();
        }
    }

    private static Signal signal(long seconds, double stable, double panic, int ready) {
        return new Signal(START.plusSeconds(seconds), stable, panic, ready, true, Duration.ZERO);
    }
}
