package io.knabla.controller.simulate.spot.baseline;

import io.knabla.controller.spot.policy.Decision;
import io.knabla.controller.spot.policy.FleetState;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.PlanBuilder;
import io.knabla.controller.spot.policy.Reason;
import io.knabla.controller.spot.policy.Reason.Cause;
import io.knabla.controller.spot.policy.Replica;
import io.knabla.controller.spot.policy.SpotPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Follows schedules that were made with knowledge of the whole trace; a bound that no real policy reaches. Only a
 * simulation can make them.
 *
 * @param schedules of each replica: from which time on it is launched on which offering
 */
public record Omniscient(List<NavigableMap<Instant, Offering>> schedules) implements SpotPolicy {
    public Omniscient {
        schedules = schedules.stream()
                .<NavigableMap<Instant, Offering>>map(TreeMap::new)
                .toList();
    }

    @Override
    public Decision decide(FleetState fleet, RandomGenerator random) {
        var plan = new PlanBuilder(fleet);
        List<Replica> free = new ArrayList<>(
                fleet.replicas().stream().filter(Replica::isLive).toList());
        List<Offering> missing = new ArrayList<>();
        for (var schedule : schedules) {
            var entry = schedule.floorEntry(fleet.now());
            if (entry != null && !taken(free, entry.getValue())) {
                missing.add(entry.getValue());
            }
        }
        Reason foreseen = Reason.of(Cause.FORESEEN);
        missing.forEach(offering -> plan.launch(offering, foreseen));
        // Those that are left were scheduled before: they serve until their successors are ready.
        int starting = missing.size()
                + (int) fleet.replicas().stream()
                        .filter(replica -> replica.isLive() && !replica.isReady())
                        .count();
        free.stream().skip(starting).forEach(replica -> plan.drain(replica, foreseen));
        return new Decision(plan.build(), this);
    }

    private static boolean taken(List<Replica> free, Offering offering) {
        for (int i = 0; i < free.size(); i++) {
            if (free.get(i).offering().equals(offering)) {
                free.remove(i);
                return true;
            }
        }
        return false;
    }
}
