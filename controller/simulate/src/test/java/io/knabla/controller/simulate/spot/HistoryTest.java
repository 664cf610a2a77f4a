package io.knabla.controller.simulate.spot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.knabla.controller.simulate.spot.History.Minute;
import io.knabla.controller.simulate.spot.History.ReplicaRun;
import io.knabla.controller.simulate.spot.History.SpotNode;
import io.knabla.controller.simulate.spot.trace.AvailabilityTrace;
import io.knabla.controller.simulate.spot.trace.AvailabilityTrace.Change;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Replay of a platform's own history; the minutes are 0 to 9. */
class HistoryTest {
    private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");
    private static final Offering SPOT = Offering.spot("a");

    private static Instant minute(double minutes) {
        return START.plusMillis((long) (minutes * 60_000));
    }

    private static Interval time(double from, double until) {
        return Interval.of(minute(from), minute(until));
    }

    private static SpotNode lost(String zone, double from, double until) {
        return new SpotNode(zone, time(from, until), true);
    }

    private static History history(List<SpotNode> nodes, ReplicaRun... replicas) {
        var minutes = new TreeMap<>(Map.of(
                minute(0),
                new Minute(60, 0, 6000),
                minute(2),
                new Minute(120, 3, 12000),
                minute(9),
                new Minute(60, 0, 6000)));
        return new History(nodes, List.of(replicas), minutes);
    }

    private static Scenario scenario(History history) {
        return history.scenario(
                RelativeMarket.ofRatio(BigDecimal.valueOf(3)), Scenario.Timing.skyServe(), Duration.ofSeconds(10), 1);
    }

    private static Change change(double minutes, int zone, int capacity, double lostShare) {
        return new Change(Duration.between(START, minute(minutes)), zone, capacity, lostShare);
    }

    @Test
    void aZoneHasNoCapacityFromTheLossOfItsLastNodeUntilTheNextStarts() {
        int some = AvailabilityTrace.UNLIMITED;
        AvailabilityTrace trace = history(List.of(
                        lost("b", -5, 4),
                        lost("a", -5, 3),
                        lost("a", -5, 3),
                        new SpotNode("a", time(1, 2), false),
                        new SpotNode("a", new Interval(minute(1), Optional.empty()), false),
                        lost("b", 6, 12)))
                .trace();

        assertThat(trace.zones()).containsExactly("a", "b");
        assertThat(trace.length()).isEqualTo(Duration.ofMinutes(10));
        assertThat(trace.changes())
                .containsExactlyInAnyOrder(
                        change(0, 0, some, 0),
                        change(1, 0, some, 0),
                        // Two of three nodes are lost; the loss after the last request is not replayed.
                        change(3, 0, some, 1 - 1 / 3.0),
                        change(0, 1, some, 0),
                        change(4, 1, 0, 0),
                        change(6, 1, some, 0));
    }

    @Test
    void theTargetIsTheNumberOfReplicasThatRanForTheWholeMinute() {
        Steps targets = history(
                        List.of(lost("a", 0, 1)),
                        new ReplicaRun(SPOT, time(-3, 4.5)),
                        new ReplicaRun(SPOT, time(4.2, 30)),
                        new ReplicaRun(SPOT, time(6, 7)))
                .targets();

        assertThat(targets.values())
                .containsExactly(
                        Map.entry(0L, 1.0),
                        Map.entry(4 * 60_000L, 0.0),
                        Map.entry(5 * 60_000L, 1.0),
                        Map.entry(6 * 60_000L, 2.0),
                        Map.entry(7 * 60_000L, 1.0));
    }

    @Test
    void requestsArriveInTheirMinutes() {
        Scenario scenario = scenario(history(List.of(lost("a", 0, 1)), new ReplicaRun(SPOT, time(0, 10))));
        Workload workload = scenario.workload().orElseThrow();

        assertThat(workload.meanService()).isEqualTo(Duration.ofMillis(100));
        assertThat(workload.perSecond().values())
                .containsExactly(
                        Map.entry(0L, 1.0),
                        Map.entry(60_000L, 0.0),
                        Map.entry(2 * 60_000L, 2.0),
                        Map.entry(3 * 60_000L, 0.0),
                        Map.entry(9 * 60_000L, 1.0),
                        Map.entry(10 * 60_000L, 0.0));
        RequestCounts counts = Simulation.run(scenario, Baselines.of("OnDemandOnly", scenario), 1)
                .requests();
        assertThat(counts.arrived()).isBetween(200L, 280L);
    }

    @Test
    void otherPoliciesAreComparedWithWhatWasRecorded() {
        History history = history(
                List.of(lost("a", 0, 5)),
                new ReplicaRun(SPOT, time(0, 5)),
                new ReplicaRun(Offering.onDemand("a"), time(5, 10)));
        Scenario scenario = scenario(history);

        History.Recorded recorded = history.recorded(scenario);
        List<Comparison.Row> rows = Comparison.run(scenario, List.of("SpotHedge:0"), 1);

        assertThat(recorded.cost().doubleValue()).isCloseTo((5 / 3.0 + 5) / 10, within(1e-5));
        assertThat(recorded.interruptions()).isEqualTo(1);
        assertThat(recorded.requests()).isEqualTo(240);
        assertThat(recorded.failed()).isEqualTo(3);
        assertThat(recorded.spotHours()).isCloseTo(5 / 60.0, within(1e-9));
        assertThat(rows).extracting(Comparison.Row::policy).contains("OnDemandOnly", "Omniscient");
        assertThat(rows.stream().filter(row -> row.policy().equals("OnDemandOnly")))
                .allSatisfy(row -> assertThat(row.cost()).isEqualByComparingTo("1"));
    }

    @Test
    void theReferenceFollowsTheTarget() {
        History history =
                history(List.of(lost("a", 0, 20)), new ReplicaRun(SPOT, time(0, 10)), new ReplicaRun(SPOT, time(2, 4)));

        Scenario scenario = scenario(history);
        List<Comparison.Row> rows = Comparison.run(scenario, List.of("OnDemandOnly"), 1);

        assertThat(scenario.onDemandCost(600_000).doubleValue()).isCloseTo(0.2, within(1e-9));
        assertThat(rows).extracting(Comparison.Row::policy).doesNotContain("Omniscient");
        assertThat(rows.getFirst().cost().doubleValue()).isCloseTo(1, within(0.2));
    }

    @Test
    void whatIsMissingIsTold() {
        assertThatThrownBy(() -> history(List.of())).hasMessageContaining("no spot node");
        assertThatThrownBy(() -> new History(List.of(lost("a", 0, 1)), List.of(), new TreeMap<>()))
                .hasMessageContaining("no request");
        assertThatThrownBy(() -> scenario(history(List.of(lost("a", 0, 1)))))
                .hasMessageContaining("one replica at least");
    }
}
