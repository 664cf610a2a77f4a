package io.knabla.controller.warm.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.warm.policy.AdaptivePolicy;
import io.knabla.controller.warm.policy.FixedPolicy;
import io.knabla.controller.warm.policy.FunctionPolicy;
import io.knabla.controller.warm.policy.FunctionProfile;
import io.knabla.controller.warm.policy.Reason;
import io.knabla.controller.warm.policy.StartCost;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LivePolicyTest {
    private static final long LEAD = 5_000;
    private static final long IDLE = 60_000;

    private final LivePolicy keeper = new LivePolicy(adaptive());
    private long now;

    /** A start is worth 30 s of memory. */
    private static FunctionPolicy adaptive() {
        StartCost start = new StartCost(0, 0, 1, 0, 0, 1);
        return new AdaptivePolicy(0.0003, 0.00001).forFunction(FunctionProfile.of("f", start));
    }

    private void serveIrregularly() {
        Random random = new Random(1);
        for (int i = 0; i < 40; i++) {
            serve(1, 2_000 + random.nextInt(18_000));
        }
    }

    private void serve(int times, long periodMillis) {
        for (int i = 0; i < times; i++) {
            now += periodMillis;
            keeper.changed(new BusyReplicas.Change(0, true, now));
            keeper.changed(new BusyReplicas.Change(0, false, now + 100));
            keeper.need(now + 2_000, LEAD, IDLE);
        }
    }

    private WarmNeed after(long millis) {
        return keeper.need(now + millis, LEAD, IDLE);
    }

    @Test
    void decidesNothingBeforeEnoughIsKnown() {
        serve(2, 600_000);

        assertThat(after(595_000)).isEqualTo(WarmNeed.none(Reason.TOO_FEW_OBSERVATIONS));
    }

    @Test
    void knowsATimerAfterTwoEqualGaps() {
        serve(3, 600_000);

        assertThat(after(595_000).start()).isEqualTo(1);
    }

    @Test
    void needsMoreGapsIfTheyDiffer() {
        for (long minutes : new long[] {3, 70, 1, 500, 10}) {
            serve(1, minutes * 60_000);
        }

        assertThat(after(1_000)).isEqualTo(WarmNeed.none(Reason.TOO_FEW_OBSERVATIONS));
    }

    @Test
    void tenGapsSufficeAlsoIfTheyAreShort() {
        serve(10, 105);
        assertThat(after(1)).isEqualTo(WarmNeed.none(Reason.TOO_FEW_OBSERVATIONS));

        serve(1, 105);
        assertThat(after(1)).isNotEqualTo(WarmNeed.none(Reason.TOO_FEW_OBSERVATIONS));
    }

    @Test
    void startsAReplicaAheadOfATimer() {
        serve(30, 600_000);

        assertThat(after(300_000).start()).isZero();
        long next = after(300_000).nextStart().orElseThrow();
        assertThat(next).isBetween(now + 560_000, now + 600_000);
        assertThat(keeper.need(next - LEAD - 1, LEAD, IDLE).start()).isZero();
        assertThat(keeper.need(next - LEAD, LEAD, IDLE)).satisfies(need -> {
            assertThat(need.start()).isEqualTo(1);
            assertThat(need.reason()).contains(Reason.WORTH_PRE_WARMING);
        });
        assertThat(after(1_200_000).keep()).isZero();
    }

    @Test
    void keepsBetweenFrequentRequests() {
        serveIrregularly();

        assertThat(after(5_000).keep()).isEqualTo(1);
        assertThat(after(300_000).keep()).isZero();
    }

    /** On a cluster each change is a call. */
    @Test
    void whatWasKeptStaysSoWhileItIsBusy() {
        serveIrregularly();
        assertThat(after(9_000).keep()).isEqualTo(1);
        keeper.changed(new BusyReplicas.Change(0, true, now + 10_000));

        assertThat(after(10_000).keep()).isEqualTo(1);
        assertThat(after(200_000).keep()).isEqualTo(1);
    }

    /** A replica that is stopped before the decision could not be kept by it. */
    @Test
    void staysUntilItIsDecidedAbout() {
        serveIrregularly();
        keeper.changed(new BusyReplicas.Change(0, true, now + 10_000));
        assertThat(keeper.need(now + 10_001, LEAD, 100).keep()).isEqualTo(1);
        keeper.changed(new BusyReplicas.Change(0, false, now + 11_000));

        assertThat(keeper.need(now + 11_001, LEAD, 100).keep()).isEqualTo(1);
        assertThat(keeper.need(now + 11_001, LEAD, 100).start()).isZero();
        assertThat(keeper.need(now + 300_000, LEAD, 100).keep()).isZero();
    }

    @Test
    void fixedKeepsForItsTime() {
        LivePolicy fixed = new LivePolicy(FixedPolicy.fixed(60_000));
        fixed.changed(new BusyReplicas.Change(1, true, 0));
        fixed.changed(new BusyReplicas.Change(1, false, 1_000));

        assertThat(fixed.need(60_999, LEAD, IDLE))
                .extracting(WarmNeed::keep, WarmNeed::start)
                .containsExactly(2, 0);
        assertThat(fixed.need(61_000, LEAD, IDLE).keep()).isZero();
    }

    @Test
    void goesOnAfterARestart() {
        serve(30, 600_000);
        WarmNeed before = after(300_000);
        LivePolicy next = new LivePolicy(adaptive());
        next.restore(keeper.state());

        assertThat(next.need(now + 300_000, LEAD, IDLE)).isEqualTo(before);
        assertThat(before.nextStart()).isPresent();
    }

    @Test
    void anotherPolicysStateIsIgnored() {
        serve(30, 600_000);
        LivePolicy other = new LivePolicy(FixedPolicy.never());
        other.restore(keeper.state());

        assertThat(other.need(now, LEAD, IDLE)).isEqualTo(new WarmNeed(0, 0, Optional.empty(), Optional.empty()));
    }

    @Test
    void anotherCostKeepsWhatWasLearned() {
        serve(30, 600_000);
        keeper.use(adaptive());

        assertThat(after(300_000).nextStart()).isPresent();
    }
}
