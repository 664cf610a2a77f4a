package io.knabla.controller.simulate.spot.baseline;

import io.knabla.controller.spot.policy.DeadlineProgress;
import io.knabla.controller.spot.policy.Decision;
import io.knabla.controller.spot.policy.FleetState;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.Plan;
import io.knabla.controller.spot.policy.PlanBuilder;
import io.knabla.controller.spot.policy.Reason;
import io.knabla.controller.spot.policy.Reason.Cause;
import io.knabla.controller.spot.policy.Replica;
import io.knabla.controller.spot.policy.SpotPolicy;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Uniform Progress for work with a deadline (Wu et al., "Can't Be Late", NSDI'24): spot capacity whenever it is
 * offered, on demand while the job is behind even progress or the deadline is at risk. All replicas are of one capacity
 * type at a time. Without a job in the demand it runs the target on demand.
 *
 * @param zone index of the zone that is tried next
 * @param committed whether it stays on demand until the end
 */
public record UniformProgress(int zone, boolean committed) implements SpotPolicy {
    public static UniformProgress start() {
        return new UniformProgress(0, false);
    }

    private enum Wish {
        STOP,
        SPOT,
        ON_DEMAND,
        IDLE
    }

    private record Choice(Wish wish, Cause cause, boolean committed) {}

    @Override
    public Decision decide(FleetState fleet, RandomGenerator random) {
        Choice choice = choose(fleet);
        boolean refused =
                fleet.events().stream().anyMatch(event -> event.offering().isSpot());
        int next = refused ? (zone + 1) % fleet.zones().size() : zone;
        return new Decision(plan(fleet, choice, next), new UniformProgress(next, choice.committed()));
    }

    private Choice choose(FleetState fleet) {
        if (fleet.demand().job().isEmpty()) {
            return new Choice(Wish.ON_DEMAND, Cause.NEEDED, committed);
        }
        DeadlineProgress job = fleet.demand().job().orElseThrow();
        boolean onSpot = fleet.spot().size() >= fleet.target();
        boolean onDemand = !fleet.onDemand().isEmpty();
        Duration twice = job.changeover().multipliedBy(2);
        if (job.isDone()) {
            return new Choice(Wish.STOP, Cause.JOB_DONE, committed);
        }
        if (onSpot) {
            return new Choice(Wish.SPOT, Cause.SPOT_AVAILABLE, false);
        }
        if (committed || !onDemand && job.timeLeft().compareTo(job.workLeft().plus(twice)) < 0) {
            return new Choice(Wish.ON_DEMAND, Cause.DEADLINE_AT_RISK, true);
        }
        if (onDemand) {
            boolean ahead = job.done().compareTo(job.expectedAt(job.elapsed().plus(twice))) >= 0;
            return ahead
                    ? new Choice(Wish.SPOT, Cause.SPOT_AVAILABLE, false)
                    : new Choice(Wish.ON_DEMAND, Cause.BEHIND_SCHEDULE, false);
        }
        return job.done().compareTo(job.expectedAt(job.elapsed())) < 0
                ? new Choice(Wish.ON_DEMAND, Cause.BEHIND_SCHEDULE, false)
                : new Choice(Wish.IDLE, Cause.SPOT_AVAILABLE, false);
    }

    private Plan plan(FleetState fleet, Choice choice, int next) {
        var plan = new PlanBuilder(fleet);
        List<Replica> spot = fleet.spot();
        Reason reason = Reason.of(choice.cause());
        boolean onSpot = spot.size() >= fleet.target();
        switch (choice.wish()) {
            case STOP -> drainAll(plan, fleet.replicas(), reason);
            case ON_DEMAND -> {
                plan.onDemand(fleet.target());
                drainAll(plan, spot, reason);
                probe(plan, fleet, choice, next);
            }
            case SPOT -> {
                if (onSpot) {
                    drainAll(plan, fleet.onDemand(), reason);
                } else {
                    launch(plan, fleet, next, reason);
                }
            }
            case IDLE -> {
                drainAll(plan, spot, reason);
                launch(plan, fleet, next, reason);
            }
        }
        return plan.build();
    }

    /** Behind schedule and idle, spot capacity is taken before capacity on demand if there is any. */
    private static void probe(PlanBuilder plan, FleetState fleet, Choice choice, int next) {
        if (!choice.committed() && fleet.onDemand().isEmpty() && choice.cause() == Cause.BEHIND_SCHEDULE) {
            launch(plan, fleet, next, Reason.of(choice.cause()));
        }
    }

    private static void launch(PlanBuilder plan, FleetState fleet, int zone, Reason reason) {
        for (int i = 0; i < fleet.target(); i++) {
            plan.launch(Offering.spot(fleet.zones().get(zone).zone()), reason);
        }
    }

    private static void drainAll(PlanBuilder plan, List<Replica> replicas, Reason reason) {
        replicas.forEach(replica -> plan.drain(replica, reason));
    }
}
