package io.knabla.controller.spot.policy;

import io.knabla.controller.spot.policy.Reason.Cause;
import io.knabla.controller.spot.policy.Replica.Warning;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Collects the launches and drains of one decision and completes them to a plan: replicas that were not named are kept,
 * those that are interrupted are drained, and no more are launched than the demand allows.
 */
public final class PlanBuilder {
    private static final Reason NEEDED = Reason.of(Cause.NEEDED);
    private static final Reason WARNED = Reason.of(Cause.INTERRUPTION_WARNING);
    private static final Reason DRAINING = Reason.of(Cause.DRAINING);
    private static final Reason SERVES_ON = Reason.of(Cause.REPLACEMENT_STARTING);

    private final FleetState fleet;
    private final List<PlanLine.Launch> launches = new ArrayList<>();
    private final Map<String, Reason> drained = new HashMap<>();
    private final Map<String, Reason> kept = new HashMap<>();

    public PlanBuilder(FleetState fleet) {
        this.fleet = fleet;
    }

    public PlanBuilder launch(Offering offering, Reason reason) {
        launches.add(new PlanLine.Launch(offering, reason));
        return this;
    }

    PlanBuilder launchSpot(Collection<String> zones, Cause cause) {
        zones.forEach(zone -> launch(Offering.spot(zone), Reason.of(cause)));
        return this;
    }

    public PlanBuilder drain(Replica replica, Reason reason) {
        drained.put(replica.id(), reason);
        return this;
    }

    PlanBuilder keep(Replica replica, Reason reason) {
        kept.put(replica.id(), reason);
        return this;
    }

    /** Launches or drains on-demand replicas until there are so many; those that start are drained first. */
    public PlanBuilder onDemand(int wanted) {
        List<Replica> live = fleet.onDemand();
        int base = fleet.demand().onDemandBase();
        int total = Math.max(wanted, base);
        for (int i = live.size(); i < total; i++) {
            Cause cause = i < base ? Cause.ON_DEMAND_BASE : Cause.COVERS_MISSING_SPOT;
            launch(Offering.onDemand(fleet.onDemandZone()), Reason.of(cause));
        }
        List<Replica> sorted = live.stream()
                .sorted((one, other) -> Boolean.compare(other.isReady(), one.isReady()))
                .toList();
        for (int i = total; i < sorted.size(); i++) {
            drain(sorted.get(i), Reason.of(i < fleet.target() ? Cause.SPOT_IS_READY : Cause.SURPLUS));
        }
        return this;
    }

    public Plan build() {
        List<PlanLine> lines = new ArrayList<>();
        for (Replica replica : fleet.replicas()) {
            lines.add(line(replica));
        }
        // Replicas that drain still exist, but the demand leaves them out.
        long live = fleet.replicas().stream()
                .filter(Replica::isLive)
                .map(Replica::id)
                .filter(Predicate.not(drained::containsKey))
                .count();
        launches.stream()
                .limit(Math.max(0, fleet.demand().maxReplicas() - live))
                .forEach(lines::add);
        return new Plan(lines);
    }

    /** Whether requests would find no other replica. */
    private boolean servesAlone(Replica replica) {
        return replica.isReady()
                && fleet.target() > 0
                && fleet.replicas().stream()
                        .noneMatch(other -> other.isLive() && other.isReady() && !drained.containsKey(other.id()));
    }

    private PlanLine line(Replica replica) {
        if (replica.state() == Replica.State.DRAINING) {
            return new PlanLine.Drain(replica.id(), DRAINING);
        }
        if (replica.warning().isInterruption()) {
            return replica.warning() == Warning.INTERRUPTION && servesAlone(replica)
                    ? new PlanLine.Keep(replica.id(), true, SERVES_ON)
                    : new PlanLine.Drain(replica.id(), WARNED);
        }
        Reason reason = drained.get(replica.id());
        return reason == null
                ? new PlanLine.Keep(replica.id(), replica.isReady(), kept.getOrDefault(replica.id(), NEEDED))
                : new PlanLine.Drain(replica.id(), reason);
    }
}
