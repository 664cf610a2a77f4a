package io.knabla.controller.simulate.spot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.knabla.controller.simulate.spot.trace.AvailabilityTrace;
import io.knabla.controller.simulate.spot.trace.TraceReader;
import io.knabla.controller.spot.live.FleetTiming;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where the classes that act in production make a policy's outcome another one. */
class SimulatedPlatformTest {
    private static final long SETTLING = FleetTiming.CLUSTER.settling().toSeconds();

    /** Three hours of one zone, which is lost after one for so many seconds. */
    private static AvailabilityTrace gap(long seconds) {
        return TraceReader.read(
                "gap", "time,zone,available\n0,a,4\n3600,a,0\n%d,a,4\n10800,a,4\n".formatted(3600 + seconds));
    }

    private static Outcome run(String policy, int target, AvailabilityTrace trace, SimulatedPlatform platform) {
        var timing = new Scenario.Timing(Duration.ofSeconds(120), Duration.ZERO, Duration.ZERO, platform.period());
        Scenario scenario = new Scenario(
                        trace, RelativeMarket.ofRatio(BigDecimal.valueOf(4)), target, timing, Optional.empty())
                .on(platform);
        return Simulation.run(scenario, Baselines.of(policy, scenario), 1);
    }

    private static double onDemandHours(Outcome outcome) {
        return outcome.hours() - outcome.spotHours();
    }

    /** A paper starts capacity on demand in the moment of the loss; the cluster's pod finds room again before. */
    @Test
    void aGapShorterThanTheSettlingIsNotCoveredOnDemandOnACluster() {
        assertThat(onDemandHours(run("SpotHedge:0", 1, gap(SETTLING / 2), SimulatedPlatform.Cluster)))
                .isZero();
        assertThat(onDemandHours(run("SpotHedge:0", 1, gap(SETTLING / 2), SimulatedPlatform.None)))
                .isPositive();
        assertThat(onDemandHours(run("SpotHedge:0", 1, gap(1800), SimulatedPlatform.Cluster)))
                .isBetween(0.4, 0.6);
    }

    /**
     * A paper's three replicas on spot start at once. A laptop first starts what the target lacks, on demand, and then
     * one more whenever all are ready.
     */
    @Test
    void hedgesStartOneByOneOnALaptop() {
        AvailabilityTrace steady = TraceReader.read("steady", "time,zone,available\n0,a,4\n10800,a,4\n");

        double lessSpotHours = run("SpotHedge:2", 1, steady, SimulatedPlatform.None)
                        .spotHours()
                - run("SpotHedge:2", 1, steady, SimulatedPlatform.Laptop).spotHours();

        double coldStartHours = 120 / 3600.0;
        assertThat(lessSpotHours).isCloseTo((1 + 2 + 3) * coldStartHours, within(0.01));
    }

    /** Its policy has no fallback, the placement of replicas has. */
    @Test
    void whatTheTargetLacksStartsElsewhereOnALaptop() {
        assertThat(run("StaticMix:0", 1, gap(3600), SimulatedPlatform.None).availability())
                .isLessThan(0.7);
        assertThat(run("StaticMix:0", 1, gap(3600), SimulatedPlatform.Laptop).availability())
                .isGreaterThan(0.95);
        assertThat(run("SpotOnly", 1, gap(3600), SimulatedPlatform.Laptop).availability())
                .as("bound to spot")
                .isLessThan(0.7);
    }

    /** Two of four zones have no capacity: SpotHedge prefers zones that it does not use, until they have refused it. */
    @Test
    void aLaptopTellsItsPolicyOfRefusedLaunches() {
        AvailabilityTrace half =
                TraceReader.read("half", "time,zone,available\n0,a,0\n0,b,0\n0,c,4\n0,d,4\n10800,d,4\n");

        assertThat(run("SpotHedge", 2, half, SimulatedPlatform.Laptop).spotHours())
                .isCloseTo(3 * 3, within(0.5));
    }

    @ParameterizedTest
    @EnumSource
    void onDemandAloneIsTheSameEverywhere(SimulatedPlatform platform) {
        Outcome outcome = run("OnDemandOnly", 3, gap(3600), platform);

        assertThat(outcome.cost()).isEqualByComparingTo("1");
        assertThat(outcome.launches()).isEqualTo(new Outcome.LaunchCounts(3, 0, 0));
    }

    @Test
    void policiesThatNoFunctionCanChooseAreComparedAsPublishedOnly() {
        Scenario small = Scenario.skyServe(gap(600)).withoutRequests().on(SimulatedPlatform.Cluster);

        assertThat(Comparison.run(small, List.of("Adaptive:2"), 1))
                .extracting(Comparison.Row::policy)
                .containsExactly(
                        "Adaptive:2",
                        "OnDemandOnly",
                        "SpotOnly",
                        "StaticMix",
                        "SpotHedge:0",
                        "SpotHedge",
                        "SpotHedge:2");
    }
}
