package io.knabla.controller.simulate.spot;

import io.knabla.controller.spot.live.FleetPlan;
import io.knabla.controller.spot.live.SlotChoice;
import io.knabla.controller.spot.live.VersionFleet;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.OnDemandOnly;
import io.knabla.controller.spot.policy.PlanLine.Launch;
import io.knabla.controller.spot.policy.Replica.Warning;
import io.knabla.controller.spot.policy.SpotOnly;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Carries out plans of a policy as the platform does on a laptop: what the target lacks starts at once, elsewhere if it
 * must, and one replica more at a time as planned or not at all. Left out is that zones which took a node back are
 * blocked for a while: the trace says where capacity is.
 */
final class LaptopScaler implements FleetScaler {
    private final PlatformView view;
    private final Cloud cloud;
    private final RandomGenerator random;
    private final VersionFleet version = new VersionFleet(VersionFleet.Memory.NONE);
    private List<Instance> known = List.of();
    private final Set<Instance> ready = new HashSet<>();

    LaptopScaler(PlatformView view, RandomGenerator random) {
        this.view = view;
        this.cloud = view.cloud();
        this.random = random;
    }

    @Override
    public void act(long now) {
        observe(now);
        FleetPlan plan = version.plan(view.input(now), random);
        plan.drains().keySet().forEach(id -> cloud.fleet.drain(id, now));
        cloud.fleet.routeLive();
        plan.extra()
                .ifPresent(launch -> SlotChoice.asPlanned(launch.offering(), slots(now))
                        .ifPresentOrElse(
                                slot -> cloud.launch(slot.offering(), now), () -> refused(launch.offering(), now)));
        launch(plan, now);
        known = List.copyOf(cloud.fleet.instances());
        cloud.events.clear();
    }

    private void observe(long now) {
        for (Instance instance : known) {
            if (cloud.fleet.instances().contains(instance)) {
                measure(instance, now);
            } else if (instance.warning == Warning.INTERRUPTION) {
                version.lost(instance.id, instance.offering, cloud.instant(now));
            } else {
                version.stopped(instance.id);
            }
        }
        ready.retainAll(cloud.fleet.instances());
    }

    private void measure(Instance instance, long now) {
        if (instance.ready && ready.add(instance)) {
            version.started(Duration.between(instance.launchedAt, cloud.instant(now)));
        }
    }

    private void launch(FleetPlan plan, long now) {
        Deque<Launch> attempts = new ArrayDeque<>(plan.launches());
        for (int i = 0; i < plan.missing() && !attempts.isEmpty(); i++) {
            Launch next = attempts.size() > 1 ? attempts.poll() : attempts.element();
            List<Cloud.Slot> slots = slots(now);
            if (SlotChoice.asPlanned(next.offering(), slots).isEmpty()) {
                refused(next.offering(), now);
            }
            SlotChoice.choose(next.offering(), slots)
                    .ifPresent(chosen -> cloud.launch(chosen.slot().offering(), now));
        }
    }

    private void refused(Offering planned, long now) {
        cloud.fleet.refused();
        version.refused(planned, cloud.instant(now));
    }

    /** Slots that a function with this policy may use. */
    private List<Cloud.Slot> slots(long now) {
        return cloud.slots(now).stream()
                .filter(slot -> switch (view.rules().policy()) {
                    case OnDemandOnly _ -> !slot.offering().isSpot();
                    case SpotOnly _ -> slot.offering().isSpot();
                    default -> true;
                })
                .toList();
    }
}
