package io.knabla.controller.simulate.spot;

import io.knabla.controller.spot.live.CapacitySplit;
import io.knabla.controller.spot.live.FleetInput;
import io.knabla.controller.spot.live.FleetTiming;
import io.knabla.controller.spot.live.SlotChoice;
import io.knabla.controller.spot.live.VersionFleet;
import io.knabla.controller.spot.live.VersionSplit;
import io.knabla.controller.spot.policy.OnDemandOnly;
import io.knabla.controller.spot.policy.Replica.Warning;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Runs as many replicas on spot and on demand as the platform asks Kubernetes for on a cluster: what the settled split
 * says, else as many as the target needs. Their zones are Kubernetes' choice, which spreads them; a pod that finds no
 * capacity waits for it. The replacement of a replica on a warned node starts at once, and it serves until the node is
 * gone. Left out is that the controller ends such replicas early where others serve, and turns functions that find no
 * spot capacity to capacity on demand without waiting for their policy.
 */
final class ClusterScaler implements FleetScaler {
    /** The order in which Kubernetes stops pods: those that still start, then the youngest. */
    private static final Comparator<Instance> FIRST_STOPPED = Comparator.comparing((Instance it) -> it.ready)
            .thenComparing(it -> it.launchedAt, Comparator.reverseOrder());

    private final PlatformView view;
    private final Cloud cloud;
    private final RandomGenerator random;
    private final VersionSplit version = new VersionSplit(VersionFleet.Memory.NONE, FleetTiming.CLUSTER);

    private List<Instance> known = List.of();

    /** Pods on spot that wait for capacity. */
    private int waiting;

    ClusterScaler(PlatformView view, RandomGenerator random) {
        this.view = view;
        this.cloud = view.cloud();
        this.random = random;
    }

    @Override
    public void act(long now) {
        FleetInput input = view.input(now);
        Optional<CapacitySplit> split = version.next(input, lost()::contains, random);
        int onDemand = onDemand(input, split);
        int needed = input.target() - onDemand;
        run(true, Math.max(needed, split.map(CapacitySplit::spot).orElse(0)), now);
        run(false, onDemand, now);
        cloud.fleet.routeLive();
        known = List.copyOf(cloud.fleet.instances());
        cloud.events.clear();
    }

    private Set<String> lost() {
        return known.stream()
                .filter(instance -> instance.warning == Warning.INTERRUPTION)
                .map(instance -> instance.id)
                .collect(Collectors.toSet());
    }

    private static int onDemand(FleetInput input, Optional<CapacitySplit> split) {
        if (input.rules().policy() instanceof OnDemandOnly) {
            return input.target();
        }
        int least = Math.min(input.rules().leastOnDemand(), input.target());
        return split.map(it -> Math.max(least, it.onDemand())).orElse(least);
    }

    private void run(boolean spot, int wanted, long now) {
        List<Instance> live = cloud.fleet
                .live()
                .filter(instance -> instance.offering.isSpot() == spot)
                .sorted(FIRST_STOPPED)
                .toList();
        live.stream().limit(Math.max(0, live.size() - wanted)).forEach(it -> cloud.fleet.drain(it.id, now));
        int missing = Math.max(0, wanted - live.size());
        while (missing > 0 && launch(spot, now)) {
            missing--;
        }
        if (spot) {
            for (int i = waiting; i < missing; i++) {
                cloud.fleet.refused();
            }
            waiting = missing;
        }
    }

    private boolean launch(boolean spot, long now) {
        Optional<Cloud.Slot> slot =
                SlotChoice.best(cloud.slots(now), it -> it.offering().isSpot() == spot);
        slot.ifPresent(it -> cloud.launch(it.offering(), now));
        return slot.isPresent();
    }
}
