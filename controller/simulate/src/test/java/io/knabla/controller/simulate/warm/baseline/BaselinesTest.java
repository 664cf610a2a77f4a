package io.knabla.controller.simulate.warm.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.knabla.controller.simulate.warm.baseline.LayerPolicy.Layer;
import io.knabla.controller.warm.policy.Decision;
import io.knabla.controller.warm.policy.FunctionPolicy;
import io.knabla.controller.warm.policy.FunctionProfile;
import io.knabla.controller.warm.policy.Reason;
import io.knabla.controller.warm.policy.WorkedDecisions;
import io.knabla.controller.warm.schedule.CronTimes;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Decisions worked by hand. */
class BaselinesTest extends WorkedDecisions {
    @Test
    void hybridKeepsForTheWholeHistogramUntilItKnows() {
        Decision decision = after(new HybridPolicy(240).forFunction(PROFILE), times(9, 30));

        assertThat(decision).isEqualTo(Decision.of(minutes(0, 240), Reason.TOO_FEW_OBSERVATIONS));
    }

    @Test
    void hybridStartsBeforeTheHeadAndReleasesAfterTheTail() {
        Decision decision = after(new HybridPolicy(240).forFunction(PROFILE), times(20, 30.5));

        // Bin 30: head 30 less 10 %, tail 31 and 10 %.
        assertThat(decision).isEqualTo(Decision.of(minutes(27, 34.1), Reason.HISTOGRAM));
    }

    @Test
    void hybridForecastsWhatIsLongerThanTheHistogram() {
        Decision decision = after(new HybridPolicy(60).forFunction(PROFILE), times(12, 120));

        assertThat(decision).isEqualTo(Decision.of(minutes(102, 138), Reason.OUT_OF_BOUNDS));
    }

    @Test
    void hybridHeadOfZeroKeepsTheReplica() {
        Decision decision = after(new HybridPolicy(240).forFunction(PROFILE), times(20, 0.5));

        assertThat(decision).isEqualTo(Decision.of(minutes(0, 1.1), Reason.HISTOGRAM));
    }

    @Test
    void evenlySpreadIdleTimesAreNotRepresentative() {
        double[] spread = new double[240];
        Arrays.setAll(spread, i -> i + 0.5);

        assertThat(after(new HybridPolicy(240).forFunction(PROFILE), spread).reason())
                .isEqualTo(Reason.NOT_REPRESENTATIVE);
    }

    @Test
    void lsthTakesTheMeanOfTheDayAndTheHour() {
        FunctionPolicy function = new LsthPolicy(240).forFunction(PROFILE);
        double[] idles = times(42, 2.5);
        Arrays.fill(idles, 0, 12, 30.5);
        Decision decision = after(function, idles);

        // The day from 1.8 to 34.1, the hour from 1.8 to 3.3.
        assertThat(decision).isEqualTo(Decision.of(minutes(1.8, 18.7), Reason.HISTOGRAM));
    }

    @Test
    void spesExpectsARegularFunctionWithinTheMargin() {
        Decision decision = after(new SpesPolicy(2).forFunction(PROFILE), times(8, 30));

        assertThat(decision.reason()).isEqualTo(Reason.REGULAR);
        assertThat(decision.windows()).containsExactly(minutes(0, 1), minutes(28, 33));
    }

    @Test
    void spesExpectsAFewLengths() {
        Decision decision = after(new SpesPolicy(2).forFunction(PROFILE), 10, 30, 10, 30, 10, 30);

        assertThat(decision.reason()).isEqualTo(Reason.NEARLY_REGULAR);
        assertThat(decision.windows()).containsExactly(minutes(0, 1), minutes(8, 13), minutes(28, 33));
    }

    @Test
    void spesKeepsADenseFunctionForFiveMinutes() {
        Decision decision =
                after(new SpesPolicy(0).forFunction(PROFILE), 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4);

        assertThat(decision).isEqualTo(Decision.of(minutes(0, 5), Reason.DENSE));
    }

    @Test
    void aTimerIsMetByItsSchedule() {
        CronTimes hourly = CronTimes.of("0 * * * *", ZoneId.of("UTC"));
        FunctionProfile timed = new FunctionProfile("f", START, Optional.of(hourly));
        now = Instant.parse("2026-11-01T10:00:00Z").toEpochMilli();
        FunctionPolicy function = new TimerPolicy(0).forFunction(timed);
        serve(function);
        Decision decision = function.decide(0, now);

        // One percent of the hour, before and after.
        assertThat(decision).isEqualTo(Decision.of(minutes(59.4, 60.6), Reason.TIMER));
    }

    @Test
    void aTimerIsSeenFromEqualTimes() {
        FunctionPolicy function = new TimerPolicy(5 * MINUTE).forFunction(PROFILE);

        assertThat(after(new TimerPolicy(5 * MINUTE).forFunction(PROFILE), times(4, 60))
                        .reason())
                .isEqualTo(Reason.FIXED_TIME);
        assertThat(after(function, times(5, 60))).isEqualTo(Decision.of(minutes(59.4, 60.6), Reason.TIMER));
    }

    @Test
    void rainbowCakeKeepsForTheQuantileWithinItsBounds() {
        RainbowCakePolicy policy = new RainbowCakePolicy(0.999999);
        Decision decision = after(policy.forFunction(PROFILE), 2, 2, 2, 2, 2);

        // Six arrivals in ten minutes: a mean of 10/6.
        double quantile = Math.log(5) * 10 / 6;
        assertThat(decision.windows().getFirst().until() - now).isCloseTo(Math.round(quantile * MINUTE), within(1L));
    }

    @Test
    void rainbowCakeKeepsLayersForWhatTheirStartIsWorth() {
        LayerPolicy layers = new RainbowCakePolicy(0.9999).layers();
        layers.arrived(0);
        layers.arrived(3_600_000);

        // 0.9999 / 0.0001 x 1.113 s / 40 MB.
        assertThat(layers.keepMillis(Layer.RUNTIME, 7_200_000)).isCloseTo(278_222, within(1L));
    }
}
