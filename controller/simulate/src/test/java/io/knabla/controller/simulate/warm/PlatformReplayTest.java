package io.knabla.controller.simulate.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.knabla.controller.simulate.warm.ReplayOptions.PlatformOptions;
import io.knabla.controller.simulate.warm.baseline.RainbowCakePolicy;
import io.knabla.controller.simulate.warm.trace.Trace;
import io.knabla.controller.simulate.warm.trace.TraceGenerator;
import io.knabla.controller.warm.live.KeepWarmTiming;
import io.knabla.controller.warm.policy.AdaptivePolicy;
import io.knabla.controller.warm.policy.FixedPolicy;
import io.knabla.controller.warm.policy.WarmPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Examples, worked by hand, of replays by the rounds of the platform; functions have 1 GB, requests take 100 ms. */
class PlatformReplayTest {
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final ReplayOptions LAPTOP =
            ReplayOptions.defaults().on(new PlatformOptions(KeepWarmTiming.LAPTOP, IDLE));
    private static final ReplayOptions CLUSTER =
            ReplayOptions.defaults().on(new PlatformOptions(KeepWarmTiming.CLUSTER, IDLE));

    private static ReplayResult replay(Trace trace, WarmPolicy policy, ReplayOptions options) {
        return Simulator.replay(trace, policy, options);
    }

    @Test
    void aReplicaStaysForTheTimeWithoutRequestsWhateverThePolicySays() {
        assertThat(replay(Traces.every(50, 20), FixedPolicy.never(), CLUSTER).cold())
                .isEqualTo(1);
        assertThat(replay(Traces.every(70, 20), FixedPolicy.never(), CLUSTER).cold())
                .isEqualTo(20);
    }

    @Test
    void aReplicaIsReleasedInTheRoundThatFollows() {
        ReplayResult result = replay(Traces.at(0, 1000), FixedPolicy.never(), CLUSTER);

        // Idle from 0.1 s on, 60 s have passed in the round at 65 s.
        assertThat(result.wastedGbSeconds()).isCloseTo(64.9, within(0.01));
        assertThat(result.cold()).isEqualTo(2);
    }

    @Test
    void aPolicyKeepsItLonger() {
        Trace trace = Traces.every(500, 40);
        assertThat(replay(trace, FixedPolicy.fixed(600_000), CLUSTER).cold())
                .isEqualTo(replay(trace, FixedPolicy.fixed(600_000), ReplayOptions.defaults())
                        .cold());
    }

    /** Each hour one request: the replica goes a minute after it, and starts again before the next. */
    @Test
    void startsAheadOfARequestThatIsExpected() {
        Trace trace = Traces.every(3600, 200);
        WarmPolicy adaptive = AdaptivePolicy.worth(AdaptivePolicy.COLD_START_COST);
        ReplayResult published = replay(trace, adaptive, ReplayOptions.defaults());

        ReplayResult onCluster = replay(trace, adaptive, CLUSTER);

        assertThat(onCluster.cold()).isLessThanOrEqualTo(published.cold() + 2);
        assertThat(onCluster.preWarms()).isGreaterThan(190);
        assertThat(onCluster.wastedGbSeconds()).isBetween(200 * 60.0, 200 * 80.0);
    }

    @Test
    void memoryIsDividedAmongWarmReplicasAndRefusesNoRequest() {
        Trace trace = Trace.of(
                "two",
                List.of(Traces.function("a", 100, 0, 300, 600, 900), Traces.function("b", 100, 150, 450, 750, 900)));
        ReplayResult free = replay(trace, FixedPolicy.always(), LAPTOP);

        ReplayResult bound = replay(trace, FixedPolicy.always(), LAPTOP.withBudget(1));

        assertThat(free.cold()).isEqualTo(2);
        assertThat(bound.cold()).isGreaterThan(2);
        assertThat(bound.requests()).isEqualTo(8);
        assertThat(bound.wastedGbSeconds()).isLessThan(0.8 * free.wastedGbSeconds());
    }

    @Test
    void onlySoManyStartAheadInOneRound() {
        Trace trace = new TraceGenerator(12, 1).generate(3);
        KeepWarmTiming one = new KeepWarmTiming(Duration.ofSeconds(5), Duration.ofSeconds(3), 1.6, 1);
        ReplayResult limited = replay(
                trace, AdaptivePolicy.worth(1e-5), ReplayOptions.defaults().on(new PlatformOptions(one, IDLE)));

        assertThat(limited.requests())
                .isEqualTo(replay(trace, AdaptivePolicy.worth(1e-5), CLUSTER).requests());
        assertThat(limited.cold())
                .isGreaterThanOrEqualTo(
                        replay(trace, AdaptivePolicy.worth(1e-5), CLUSTER).cold());
    }

    @Test
    void thePlatformKeepsNoLayers() {
        assertThatThrownBy(() -> replay(Traces.every(50, 2), new RainbowCakePolicy(0.9), CLUSTER))
                .hasMessageContaining("keeps no layers");
    }
}
