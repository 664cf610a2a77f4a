package io.knabla.controller.knative.placement;

import io.knabla.controller.platform.Replica;
import io.knabla.controller.scale.KpaPolicy;
import io.knabla.controller.scale.fleet.FleetView;
import io.knabla.controller.spot.live.CapacitySplit;
import io.knabla.controller.spot.live.FleetTiming;
import io.knabla.controller.spot.live.VersionFleet;
import io.knabla.controller.spot.live.VersionSplit;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.functions.spec.FunctionSpec;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Divides the replicas of one version on a cluster between spot and on demand: estimates its load, then asks its
 * policy.
 */
final class ClusterVersionSplit {
    private final LoadEstimate load = new LoadEstimate();
    private final VersionSplit split;

    /** @param memory of what the policy learns */
    ClusterVersionSplit(VersionFleet.Memory memory) {
        split = new VersionSplit(memory, FleetTiming.CLUSTER);
    }

    /**
     * @param replicas of the version, one at least, without those that have ended
     * @param usage what those that hold resources did
     * @return the split to act on; empty where it changes nothing
     */
    Optional<CapacitySplit> next(
            FunctionSpec spec,
            List<Replica> replicas,
            Collection<ReplicaInterval> usage,
            FleetView view,
            RandomGenerator random,
            Instant now) {
        load.observe(usage, now);
        return split.next(view.input(now, spec, target(spec), replicas, _ -> 0, 0), view::isLost, random);
    }

    private int target(FunctionSpec spec) {
        double needed = Math.ceil(load.concurrency() / KpaPolicy.of(spec).goal());
        return (int) Math.clamp(needed, spec.scaling().min(), spec.scaling().max());
    }
}
