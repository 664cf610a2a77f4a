package io.knabla.controller.spot.policy;

import java.util.random.RandomGenerator;

/** Runs every replica on demand. */
public record OnDemandOnly() implements SpotPolicy {
    @Override
    public Decision decide(FleetState fleet, RandomGenerator random) {
        var plan = new PlanBuilder(fleet).onDemand(fleet.target());
        fleet.spot().forEach(replica -> plan.drain(replica, Reason.of(Reason.Cause.SURPLUS)));
        return new Decision(plan.build(), this);
    }
}
