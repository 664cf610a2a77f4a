package io.knabla.controller.simulate.spot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.knabla.controller.price.BundledPrices;
import io.knabla.controller.simulate.spot.baseline.UniformProgress;
import io.knabla.controller.simulate.spot.trace.AvailabilityTrace;
import io.knabla.controller.simulate.spot.trace.BundledTraces;
import io.knabla.controller.simulate.spot.trace.TraceReader;
import io.knabla.controller.spot.policy.OnDemandOnly;
import io.knabla.controller.spot.policy.SpotOnly;
import io.knabla.controller.spot.policy.StaticMix;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulationTest {
    /** Ten hours; the zone is lost after five and comes back half an hour later. */
    private static final AvailabilityTrace ONE_LOSS =
            TraceReader.read("one-loss", "time,zone,available\n0,a,1\n18000,a,0\n19800,a,1\n36000,a,1\n");

    private static Scenario scenario(AvailabilityTrace trace, Duration notice) {
        var timing = new Scenario.Timing(Duration.ofSeconds(120), notice, Duration.ZERO, Duration.ofSeconds(30));
        return new Scenario(trace, RelativeMarket.ofRatio(BigDecimal.valueOf(4)), 1, timing, Optional.empty());
    }

    @Test
    void onDemandIsLateOnlyAtTheStart() {
        Outcome outcome = Simulation.run(scenario(ONE_LOSS, Duration.ZERO), new OnDemandOnly(), 1);

        assertThat(outcome.cost()).isEqualByComparingTo("1");
        assertThat(outcome.availability()).isCloseTo(1 - 120 / 36000.0, within(1e-9));
    }

    @Test
    void spotOnlyWaitsForTheZone() {
        Outcome outcome = Simulation.run(scenario(ONE_LOSS, Duration.ZERO), SpotOnly.roundRobin(), 1);

        // Paid for all but 1800 s; two cold starts.
        assertThat(outcome.cost().doubleValue()).isCloseTo(0.25 * 34200 / 36000, within(1e-9));
        assertThat(outcome.availability()).isCloseTo((34200 - 240) / 36000.0, within(1e-9));
        assertThat(outcome.launches()).isEqualTo(new Outcome.LaunchCounts(2, 60, 1));
    }

    @Test
    void fallbackRunsOnDemandUntilSpotIsReadyAgain() {
        Outcome outcome = Simulation.run(scenario(ONE_LOSS, Duration.ZERO), StaticMix.withFallback(), 1);

        // On demand: two cold starts, and from the loss until spot is ready again.
        double onDemand = 120 + 1800 + 120;
        assertThat(outcome.cost().doubleValue()).isCloseTo((0.25 * 34200 + onDemand) / 36000, within(1e-9));
        assertThat(outcome.availability()).isCloseTo((36000 - 240) / 36000.0, within(1e-9));
    }

    @Test
    void noticeOfAColdStartLosesNoTime() {
        Outcome outcome = Simulation.run(scenario(ONE_LOSS, Duration.ofSeconds(120)), StaticMix.withFallback(), 1);

        assertThat(outcome.availability()).isCloseTo((36000 - 120) / 36000.0, within(1e-9));
    }

    @Test
    void lostReplicasRequestsAreRetriedAndWaitNoLongerThanTheTimeout() {
        var load = new Workload(0.05, Duration.ofSeconds(10), Duration.ofSeconds(100), 1);
        var base = scenario(ONE_LOSS, Duration.ZERO);
        var busy = new Scenario(base.trace(), base.market(), 1, base.timing(), Optional.of(load));

        RequestCounts spot = Simulation.run(busy, SpotOnly.roundRobin(), 3).requests();
        RequestCounts onDemand = Simulation.run(busy, new OnDemandOnly(), 3).requests();

        assertThat(spot.arrived()).isEqualTo(onDemand.arrived()).isBetween(1600L, 2000L);
        // In half an hour without a replica, all but the last 100 s of 90 expected requests fail.
        assertThat(spot.failed() - onDemand.failed()).isBetween(50L, 130L);
        assertThat(spot.p99()).isEqualTo(Duration.ofSeconds(100));
        assertThat(onDemand.retried()).isZero();
    }

    @Test
    void capacityIsRefusedBeyondTheCount() {
        var trace = TraceReader.read("counts", "time,zone,available\n0,a,2\n3600,a,2\n");
        var three = new Scenario(
                trace, RelativeMarket.ofRatio(BigDecimal.valueOf(3)), 3, Scenario.Timing.skyServe(), Optional.empty());

        Outcome outcome = Simulation.run(three, SpotOnly.roundRobin(), 1);

        assertThat(outcome.launches()).isEqualTo(new Outcome.LaunchCounts(2, 120, 0));
        assertThat(outcome.availability()).isZero();
    }

    @Test
    void ec2TakesNothingForAFirstHourThatItInterrupts() {
        var trace = TraceReader.read("early", """
                time,zone,available
                2023-03-01T00:00:00Z,us-east-1a,1
                2023-03-01T00:50:00Z,us-east-1a,0
                2023-03-01T02:00:00Z,us-east-1a,0
                """);
        Instant start = trace.start();
        var market = new Ec2Market(
                BundledPrices.book(), "p3.2xlarge", trace.zones(), Interval.of(start, start.plus(trace.length())));
        var one = new Scenario(trace, market, 1, Scenario.Timing.skyServe(), Optional.empty());

        assertThat(Simulation.run(one, SpotOnly.roundRobin(), 1).cost()).isEqualByComparingTo("0");
        assertThat(Simulation.run(one, new OnDemandOnly(), 1).cost()).isEqualByComparingTo("1");
    }

    @Test
    void pricesThatAreNotKnownAreNamed() {
        assertThatThrownBy(() -> new Ec2Market(
                        BundledPrices.book(),
                        "x9.huge",
                        List.of("us-east-1a"),
                        Interval.of(Instant.EPOCH, Instant.EPOCH.plusSeconds(60))))
                .hasMessageContaining("no price of x9.huge on spot is known")
                .hasMessageContaining("us-east-1a");
    }

    /** Reference numbers of a re-run of the published comparison; nine zones, N=3, k=3. */
    @ParameterizedTest
    @CsvSource({
        "OnDemandOnly, 1.000, 0.03, 0.999",
        "SpotOnly:EvenSpread, 0.251, 0.03, 0.43",
        "SpotOnly, 0.330, 0.03, 0.95",
        "StaticMix, 0.553, 0.03, 0.955",
        "StaticMix:Fallback, 0.343, 0.03, 0.99",
        "SpotHedge:0, 0.348, 0.03, 0.99",
        "SpotHedge, 0.460, 0.02, 0.99",
        "SpotHedge:2, 0.572, 0.03, 0.99",
        "Omniscient, 0.340, 0.01, 0.999"
    })
    void reproducesThePublishedComparison(String policy, double cost, double tolerance, double availability) {
        Scenario nine = Scenario.skyServe(
                        BundledTraces.find(BundledTraces.NINE_ZONES).orElseThrow())
                .withoutRequests();

        Outcome outcome = Simulation.run(nine, Baselines.of(policy, nine), 1);

        assertThat(outcome.cost().doubleValue()).isCloseTo(cost, within(tolerance));
        assertThat(outcome.availability()).isGreaterThanOrEqualTo(availability);
    }

    /** The second half of the trace, on which nothing was chosen. */
    @Test
    void adaptiveCostsLessThanSpotHedgeAtNoLowerAvailability() {
        AvailabilityTrace all = BundledTraces.find(BundledTraces.NINE_ZONES).orElseThrow();
        Scenario second = Scenario.skyServe(all.part(all.length().dividedBy(2), all.length()))
                .withoutRequests();

        Outcome ours = Simulation.run(second, Baselines.of("Adaptive", second), 1);
        Outcome hedge = Simulation.run(second, Baselines.of("SpotHedge", second), 1);

        assertThat(ours.cost()).isLessThan(hedge.cost()).isLessThan(new BigDecimal("0.38"));
        assertThat(ours.availability())
                .isGreaterThanOrEqualTo(hedge.availability())
                .isGreaterThan(0.997);
    }

    @ParameterizedTest
    @CsvSource({"us-west-2a", "us-east-1a", "us-east-1f"})
    void uniformProgressMeetsEveryDeadline(String zone) {
        AvailabilityTrace trace =
                BundledTraces.find(BundledTraces.NINE_ZONES).orElseThrow().ofZones(List.of(zone));
        Scenario scenario = new Scenario(
                trace, RelativeMarket.ofRatio(BigDecimal.valueOf(3)), 1, Scenario.Timing.skyServe(), Optional.empty());

        DeadlineRuns.Summary runs = DeadlineRuns.run(scenario, UniformProgress.start(), 20, 0);

        assertThat(runs.missed()).isZero();
        assertThat(runs.cost().doubleValue()).isBetween(0.33, 1.05);
        assertThat(runs.spotHours() + runs.onDemandHours()).isBetween(48.0, 60.0);
    }

    @Test
    void comparisonIsTheSameForTheSameSeeds() {
        Scenario small = Scenario.skyServe(ONE_LOSS);

        List<Comparison.Row> rows = Comparison.run(small, List.of("Adaptive", "UniformProgress"), 2);

        assertThat(rows).isEqualTo(Comparison.run(small, List.of("Adaptive", "UniformProgress"), 2));
        assertThat(rows).extracting(Comparison.Row::policy).startsWith("Adaptive", "UniformProgress", "OnDemandOnly");
    }
}
