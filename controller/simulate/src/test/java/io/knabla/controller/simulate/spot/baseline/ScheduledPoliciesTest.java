package io.knabla.controller.simulate.spot.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.spot.policy.CapacityEvent;
import io.knabla.controller.spot.policy.CapacityEvent.Kind;
import io.knabla.controller.spot.policy.DeadlineProgress;
import io.knabla.controller.spot.policy.Decision;
import io.knabla.controller.spot.policy.Demand;
import io.knabla.controller.spot.policy.FleetState;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.PlanLine;
import io.knabla.controller.spot.policy.Reason.Cause;
import io.knabla.controller.spot.policy.Replica;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.policy.Replica.Warning;
import io.knabla.controller.spot.policy.SpotPolicy;
import io.knabla.controller.spot.policy.ZoneOffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies that follow a deadline or a schedule. */
class ScheduledPoliciesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Offering SPOT = Offering.spot("us-east-1a");
    private static final Offering OTHER = Offering.spot("us-east-1b");
    private static final Offering ON_DEMAND = Offering.onDemand("us-east-1a");

    private final List<Replica> replicas = new ArrayList<>();
    private final List<CapacityEvent> events = new ArrayList<>();

    private void has(String id, Offering offering, State state) {
        replicas.add(new Replica(id, offering, NOW.minusSeconds(600), state, Warning.NONE));
    }

    private Decision decide(SpotPolicy policy, Demand demand) {
        var zones = List.of(ZoneOffer.of("us-east-1a", 1, 3), ZoneOffer.of("us-east-1b", 1, 3));
        var fleet = new FleetState(NOW, demand, Duration.ofSeconds(120), zones, replicas, events);
        return policy.decide(fleet, new SplittableRandom(1));
    }

    private static List<Offering> launched(Decision decision) {
        return decision.plan().launches().stream()
                .map(PlanLine.Launch::offering)
                .toList();
    }

    private static List<String> drained(Decision decision) {
        return decision.plan().drains().stream().map(PlanLine.Drain::replica).toList();
    }

    /** Eight hours of work in ten, with a changeover of 12 minutes. */
    private static Demand job(double left, double time) {
        return Demand.of(1)
                .withJob(new DeadlineProgress(
                        Duration.ofHours(8),
                        Duration.ofHours(10),
                        Duration.ofMinutes((long) (60 * left)),
                        Duration.ofMinutes((long) (60 * time)),
                        Duration.ofMinutes(12)));
    }

    @ParameterizedTest(name = "{0} h of 8 left, {1} h to the deadline: {2}")
    @CsvSource({
        // Even progress: spot capacity is tried, nothing else.
        "8, 10, SPOT_AVAILABLE",
        // Behind even progress.
        "8, 9.5, BEHIND_SCHEDULE",
        // Less than the work and two changeovers of 12 minutes are left.
        "8, 8.3, DEADLINE_AT_RISK",
        "0, 5, JOB_DONE"
    })
    void uniformProgressFollowsTheSchedule(double left, double time, Cause cause) {
        Decision decision = decide(UniformProgress.start(), job(left, time));

        List<Cause> causes = decision.plan().launches().stream()
                .map(launch -> launch.reason().cause())
                .toList();
        switch (cause) {
            case SPOT_AVAILABLE -> {
                assertThat(causes).containsExactly(cause);
                assertThat(launched(decision)).containsExactly(SPOT);
            }
            case BEHIND_SCHEDULE -> assertThat(launched(decision)).containsExactly(ON_DEMAND, SPOT);
            case DEADLINE_AT_RISK -> assertThat(launched(decision)).containsExactly(ON_DEMAND);
            default -> assertThat(launched(decision)).isEmpty();
        }
    }

    @Test
    void evenProgressIsInProportionToTime() {
        DeadlineProgress job = job(6, 7).job().orElseThrow();
        assertThat(job.expectedAt(Duration.ofHours(5))).isEqualTo(Duration.ofHours(4));
        assertThat(job.done()).isEqualTo(Duration.ofHours(2));
        assertThat(job.elapsed()).isEqualTo(Duration.ofHours(3));
    }

    @Test
    void aJobStaysOnSpotCapacityAndLeavesOnDemandForIt() {
        has("s", SPOT, State.READY);
        has("o", ON_DEMAND, State.READY);

        // However late it is.
        Decision decision = decide(UniformProgress.start(), job(8, 8));
        assertThat(drained(decision)).containsExactly("o");
        assertThat(launched(decision)).isEmpty();
    }

    @Test
    void aJobOnDemandTriesSpotCapacityOnlyIfItWouldStayAhead() {
        has("o", ON_DEMAND, State.READY);

        // 24 minutes on, 2 h 24 min of 10 h have passed: 1.92 h are expected.
        assertThat(launched(decide(UniformProgress.start(), job(6.05, 8)))).containsExactly(SPOT);
        assertThat(drained(decide(UniformProgress.start(), job(6.05, 8)))).isEmpty();
        assertThat(launched(decide(UniformProgress.start(), job(6.1, 8)))).isEmpty();
        assertThat(drained(decide(UniformProgress.start(), job(6.1, 8)))).isEmpty();
    }

    @Test
    void onceTheDeadlineIsAtRiskAJobStaysOnDemand() {
        Decision decision = decide(UniformProgress.start(), job(8, 8.3));
        assertThat(decision.next()).isEqualTo(new UniformProgress(0, true));
        assertThat(launched(decision)).containsExactly(ON_DEMAND);

        has("o", ON_DEMAND, State.READY);
        assertThat(launched(decide(decision.next(), job(1, 8)))).isEmpty();
        assertThat(launched(decide(UniformProgress.start(), job(8, 8.4)))).isEmpty();
    }

    @Test
    void theNextZoneIsTriedAfterARefusal() {
        assertThat(launched(decide(UniformProgress.start(), job(8, 10)))).containsExactly(SPOT);
        events.add(new CapacityEvent(Kind.LAUNCH_REFUSED, ON_DEMAND, NOW));
        assertThat(launched(decide(UniformProgress.start(), job(8, 10)))).containsExactly(SPOT);

        events.add(new CapacityEvent(Kind.LAUNCH_REFUSED, SPOT, NOW));
        Decision second = decide(UniformProgress.start(), job(8, 10));
        assertThat(launched(second)).containsExactly(OTHER);
        assertThat(launched(decide(second.next(), job(8, 10)))).containsExactly(SPOT);
    }

    @Test
    void aJobThatIsDoneKeepsNothingAndWithoutAJobAllIsOnDemand() {
        has("s", SPOT, State.READY);
        has("o", ON_DEMAND, State.READY);
        assertThat(drained(decide(UniformProgress.start(), job(0, 5)))).containsExactly("s", "o");

        Decision served = decide(UniformProgress.start(), Demand.of(1));
        assertThat(drained(served)).containsExactly("s");
        assertThat(served.plan().routed()).containsExactly("o");
    }

    @Test
    void foresightLaunchesWhatIsScheduledAndDrainsWhatIsNotWhenSuccessorsAreReady() {
        var schedule = new TreeMap<Instant, Offering>();
        schedule.put(NOW.minusSeconds(60), SPOT);
        schedule.put(NOW.plusSeconds(60), ON_DEMAND);
        var policy = new Omniscient(List.of(schedule));

        assertThat(launched(decide(policy, Demand.of(1)))).containsExactly(SPOT);
        has("old", OTHER, State.READY);
        assertThat(launched(decide(policy, Demand.of(1)))).containsExactly(SPOT);
        assertThat(drained(decide(policy, Demand.of(1)))).isEmpty();

        has("new", SPOT, State.STARTING);
        assertThat(launched(decide(policy, Demand.of(1)))).isEmpty();
        assertThat(drained(decide(policy, Demand.of(1)))).isEmpty();

        replicas.removeLast();
        has("new", SPOT, State.READY);
        Decision done = decide(policy, Demand.of(1));
        assertThat(drained(done)).containsExactly("old");
        assertThat(done.plan().drains().getFirst().reason().cause()).isEqualTo(Cause.FORESEEN);

        var later = new TreeMap<Instant, Offering>();
        later.put(NOW.plusSeconds(1), SPOT);
        replicas.clear();
        assertThat(launched(decide(new Omniscient(List.of(later)), Demand.of(1))))
                .isEmpty();
    }
}
