package io.knabla.controller.spot.policy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.spot.policy.Reason.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The properties of {@link PlanPropertiesTest} fail for plans that are wrong. */
class BrokenPlansTest {
    private static final Reason BROKEN = Reason.of(Cause.NEEDED);

    private enum Fault implements BiFunction<FleetState, Plan, Plan> {
        LAUNCHES_ONE_MORE(plan -> with(plan, new PlanLine.Launch(Offering.spot("us-east-1a"), BROKEN))),
        ROUTES_WHAT_DRAINS(plan ->
                each(plan, line -> line instanceof PlanLine.Drain drain ? keep(drain.replica(), true) : line)),
        ROUTES_WHAT_STARTS(plan ->
                each(plan, line -> line instanceof PlanLine.Keep keep ? keep(keep.replica(), true) : line)),
        ROUTES_NOTHING(plan ->
                each(plan, line -> line instanceof PlanLine.Keep keep ? keep(keep.replica(), false) : line)),
        DRAINS_ALL_THAT_SERVE(plan -> each(
                plan,
                line -> line instanceof PlanLine.Keep keep && keep.routed()
                        ? new PlanLine.Drain(keep.replica(), BROKEN)
                        : line)),
        FORGETS_A_REPLICA(plan -> new Plan(plan.lines().stream()
                .filter(line -> !(line instanceof PlanLine.Keep))
                .toList())),
        NAMES_A_REPLICA_TWICE(plan -> plan.kept().isEmpty()
                ? plan
                : with(plan, new PlanLine.Drain(plan.kept().getFirst().replica(), BROKEN)));

        private final Function<Plan, Plan> worse;

        Fault(Function<Plan, Plan> worse) {
            this.worse = worse;
        }

        @Override
        public Plan apply(FleetState fleet, Plan plan) {
            return worse.apply(plan);
        }

        private static Plan with(Plan plan, PlanLine line) {
            return new Plan(
                    Stream.concat(plan.lines().stream(), Stream.of(line)).toList());
        }

        private static PlanLine keep(String replica, boolean routed) {
            return new PlanLine.Keep(replica, routed, BROKEN);
        }

        private static Plan each(Plan plan, Function<PlanLine, PlanLine> change) {
            return new Plan(plan.lines().stream().map(change).toList());
        }
    }

    private static Cloud cloud(int room, double trouble) {
        return new Cloud(Adaptive.start(), new Demand(3, 0, 3 + room, Optional.empty()), trouble, 7);
    }

    @ParameterizedTest
    @EnumSource
    void noFaultIsMissed(Fault fault) {
        cloud(2, 0.1).checkBounds();
        assertThatThrownBy(() -> cloud(2, 0.1).with(fault).checkBounds()).isInstanceOf(AssertionError.class);
    }

    /** Replaces a replica now and then, although nothing happens. */
    private static BiFunction<FleetState, Plan, Plan> flapping(Duration period) {
        return (fleet, plan) -> {
            boolean due = fleet.now().getEpochSecond() % period.toSeconds() == 0;
            List<PlanLine> lines = new ArrayList<>(plan.lines());
            int kept = lines.indexOf(plan.kept().stream().findFirst().orElse(null));
            if (due && kept >= 0) {
                String replica = ((PlanLine.Keep) lines.get(kept)).replica();
                lines.set(kept, new PlanLine.Drain(replica, Reason.of(Cause.SAFER_ZONE)));
            }
            return new Plan(lines);
        };
    }

    @Test
    void flappingIsNotMissed() {
        Cloud daily = cloud(9, 0);
        daily.passDay();
        daily.checkNothingMoves();
        assertThatThrownBy(() -> daily.with(flapping(Duration.ofHours(12))).checkNothingMoves())
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> cloud(9, 0).with(flapping(Duration.ofHours(2))).checkFewMoves())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("three days");
    }
}
