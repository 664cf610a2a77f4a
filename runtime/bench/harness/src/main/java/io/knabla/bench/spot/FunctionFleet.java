package io.knabla.bench.spot;

import io.knabla.controller.spot.policy.Adaptive;
import io.knabla.controller.spot.policy.CapacityEvent;
import io.knabla.controller.spot.policy.CapacityEvent.Kind;
import io.knabla.controller.spot.policy.Decision;
import io.knabla.controller.spot.policy.Demand;
import io.knabla.controller.spot.policy.FleetState;
import io.knabla.controller.spot.policy.Plan;
import io.knabla.controller.spot.policy.PlanLine.Drain;
import io.knabla.controller.spot.policy.PlanLine.Launch;
import io.knabla.controller.spot.policy.Replica;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.policy.Replica.Warning;
import io.knabla.controller.spot.policy.SpotHedge;
import io.knabla.controller.spot.policy.SpotPolicy;
import io.knabla.controller.spot.policy.ZoneOffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The replicas of one function, 1 to 8 and more while hedged; one in a hundred is lost each round. */
final class FunctionFleet {
    static final List<ZoneOffer> ZONES = Stream.of("us-east-1a", "us-east-1b", "us-east-1c")
            .flatMap(zone -> Stream.of(zone, zone.replace("east-1", "east-2"), zone.replace("east-1", "west-2")))
            .map(zone -> ZoneOffer.of(zone, 1 + zone.hashCode() % 10 / 100.0, 3))
            .toList();

    private static final Duration TICK = Duration.ofSeconds(30);
    private static final Duration COLD_START = Duration.ofSeconds(120);
    private static final double LOST = 0.01;

    private final int target;
    private final RandomGenerator random;
    private SpotPolicy policy = Adaptive.spreadOver(2);
    private SpotPolicy reference = SpotHedge.of(1);
    private List<Replica> replicas = List.of();
    private Plan plan = new Plan(List.of());
    private FleetState state;
    private Instant now = Instant.EPOCH;
    private int launched;

    FunctionFleet(int seed) {
        target = 1 + seed % 8;
        random = new SplittableRandom(seed);
    }

    int replicas() {
        return replicas.size();
    }

    /** Carries the last plan out, and loses replicas. */
    void advance() {
        now = now.plus(TICK);
        var drained = plan.drains().stream().map(Drain::replica).collect(Collectors.toSet());
        List<Replica> next = new ArrayList<>();
        List<CapacityEvent> events = new ArrayList<>();
        for (Replica replica : replicas) {
            if (replica.isSpot() && random.nextDouble() < LOST) {
                events.add(new CapacityEvent(Kind.INTERRUPTED, replica.offering(), now));
            } else if (!drained.contains(replica.id())) {
                State reached = replica.age(now).compareTo(COLD_START) < 0 ? State.STARTING : State.READY;
                next.add(new Replica(replica.id(), replica.offering(), replica.launchedAt(), reached, Warning.NONE));
            }
        }
        for (Launch launch : plan.launches()) {
            next.add(new Replica("r" + launched++, launch.offering(), now, State.STARTING, Warning.NONE));
        }
        replicas = next;
        state = new FleetState(now, Demand.of(target), COLD_START, ZONES, replicas, events);
    }

    void decide() {
        Decision decision = policy.decide(state, random);
        policy = decision.next();
        plan = decision.plan();
    }

    /** Its plan is not carried out. */
    void decideAsReference() {
        reference = reference.decide(state, random).next();
    }
}
