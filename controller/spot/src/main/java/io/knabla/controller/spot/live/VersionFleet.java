package io.knabla.controller.spot.live;

import io.knabla.controller.spot.policy.CapacityEvent;
import io.knabla.controller.spot.policy.Decision;
import io.knabla.controller.spot.policy.FleetRisk;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.SpotPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Plans the replicas of one version, and keeps what its policy has learned. Not thread-safe. */
public final class VersionFleet {
    /** Where what a policy has learned outlives this process. */
    public interface Memory {
        Memory NONE = new Memory() {
            @Override
            public Optional<FleetRisk> recall() {
                return Optional.empty();
            }

            @Override
            public void keep(FleetRisk learned) {}
        };

        Optional<FleetRisk> recall();

        void keep(FleetRisk learned);
    }

    /** Until a replica has become ready. */
    private static final Duration UNMEASURED = Duration.ofSeconds(2);

    private final Memory memory;
    private Optional<SpotPolicy> chosen = Optional.empty();
    private SpotPolicy policy;
    private Duration coldStart = UNMEASURED;
    private final List<CapacityEvent> events = new ArrayList<>();

    /** Replicas whose interruption the policy knows already. */
    private final Set<String> known = new HashSet<>();

    /** Spot offerings that refused launches and have not been seen to have room since. */
    private final Set<Offering> refused = new HashSet<>();

    public VersionFleet(Memory memory) {
        this.memory = memory;
    }

    /** Plans what to launch, keep and drain now. */
    public FleetPlan plan(FleetInput input, RandomGenerator random) {
        SpotPolicy fresh = input.rules().policy();
        if (chosen.filter(fresh::equals).isEmpty()) {
            chosen = Optional.of(fresh);
            policy = memory.recall().map(fresh::with).orElse(fresh);
        }
        input.replicas().stream()
                .filter(LiveReplica::isInterrupted)
                .forEach(replica ->
                        replica.offering().ifPresent(offering -> interrupted(replica.id(), offering, input.now())));
        var state = FleetStates.of(input, coldStart, events);
        Decision decision = policy.decide(state, random);
        policy = decision.next();
        policy.learned().ifPresent(memory::keep);
        events.clear();
        return FleetPlan.of(input, state, decision.plan());
    }

    private void interrupted(String replica, Offering offering, Instant at) {
        if (known.add(replica)) {
            // The policy leaves the zone alone for the loss now, which room does not change.
            refused.remove(offering);
            events.add(new CapacityEvent(CapacityEvent.Kind.INTERRUPTED, offering, at));
        }
    }

    /** A replica has ended because its node was taken back. */
    public void lost(String replica, Offering offering, Instant at) {
        interrupted(replica, offering, at);
        known.remove(replica);
    }

    /** A launch of the last plan found no room as planned; it may have happened elsewhere. */
    public void refused(Offering planned, Instant at) {
        events.add(new CapacityEvent(CapacityEvent.Kind.LAUNCH_REFUSED, planned, at));
        if (planned.isSpot()) {
            refused.add(planned);
        }
    }

    /**
     * Ends the wait of the policy for offerings that refused its launches, which doubles with each refusal, as soon as
     * they have room.
     */
    public void recheck(Predicate<Offering> hasRoom, Instant at) {
        List<Offering> roomy = refused.stream().filter(hasRoom).toList();
        roomy.forEach(offering -> events.add(new CapacityEvent(CapacityEvent.Kind.ROOM_RETURNED, offering, at)));
        roomy.forEach(refused::remove);
    }

    public void stopped(String replica) {
        known.remove(replica);
    }

    /** @param taken from the launch of a replica until it was ready */
    public void started(Duration taken) {
        coldStart = taken;
    }
}
