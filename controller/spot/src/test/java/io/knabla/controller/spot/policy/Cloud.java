package io.knabla.controller.spot.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.spot.policy.CapacityEvent.Kind;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.policy.Replica.Warning;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;

/**
 * A small cloud, and what no plan may do there: launches succeed unless refused, replicas become ready, drain for a
 * tick, are warned and are lost.
 */
final class Cloud {
    static final List<String> ZONES = List.of("us-east-1a", "us-east-1b", "us-west-2a", "us-west-2b");
    private static final Duration COLD = Duration.ofSeconds(120);
    private static final Duration TICK = Duration.ofSeconds(30);
    private static final int TICKS_OF_A_DAY = (int) Duration.ofDays(1).dividedBy(TICK);

    private final RandomGenerator random;
    private Demand demand;
    private double priceMoves;
    private double trouble;
    private SpotPolicy policy;
    private Instant now = Instant.EPOCH;
    private List<Replica> replicas = new ArrayList<>();
    private List<CapacityEvent> events = new ArrayList<>();
    private int launched;
    private BiFunction<FleetState, Plan, Plan> fault = (_, plan) -> plan;

    Cloud(SpotPolicy policy, Demand demand, double trouble, long seed) {
        this.policy = policy;
        this.demand = demand;
        this.trouble = trouble;
        this.random = new SplittableRandom(seed);
    }

    /** Replaces every plan by a worse one. */
    Cloud with(BiFunction<FleetState, Plan, Plan> sabotage) {
        fault = sabotage;
        return this;
    }

    /** @param most part by which prices go up or down at every tick */
    Cloud withPriceMoves(double most) {
        priceMoves = most;
        return this;
    }

    void want(int target) {
        demand = new Demand(target, 0, demand.maxReplicas(), demand.job());
    }

    void calmDown() {
        trouble = 0;
    }

    /** An hour within the bounds. */
    void checkBounds() {
        for (int tick = 0; tick < 60; tick++) {
            step();
            assertThat(live()).isLessThanOrEqualTo(demand.maxReplicas());
        }
    }

    /** A day in which nothing moves. */
    void checkNothingMoves() {
        for (int tick = 0; tick < TICKS_OF_A_DAY; tick++) {
            Plan plan = step();
            assertThat(plan.launches()).isEmpty();
            assertThat(plan.drains()).isEmpty();
        }
        assertThat(live()).isGreaterThanOrEqualTo(demand.target());
    }

    /** Three days in which hardly any replica is moved, but for the first hours, in which zones are tried. */
    void checkFewMoves() {
        assertThat(moves(Duration.ofHours(4)))
                .as("launches and drains of four hours")
                .isLessThanOrEqualTo(30 * demand.target());
        assertThat(moves(Duration.ofHours(68)))
                .as("launches and drains of the rest of three days")
                .isLessThanOrEqualTo(4 * demand.target() + 4);
    }

    private int moves(Duration time) {
        int moves = 0;
        for (int tick = 0; tick < time.dividedBy(TICK); tick++) {
            Plan plan = step();
            long drains = plan.drains().stream()
                    .filter(line -> line.reason().cause() != Reason.Cause.DRAINING)
                    .count();
            moves += plan.launches().size() + (int) drains;
        }
        return moves;
    }

    void passDay() {
        for (int tick = 0; tick < TICKS_OF_A_DAY; tick++) {
            step();
        }
    }

    Plan step() {
        var offers = ZONES.stream().map(zone -> ZoneOffer.of(zone, price(), 3)).toList();
        var fleet = new FleetState(now, demand, COLD, offers, replicas, events);
        Decision decision = policy.decide(fleet, random);
        policy = decision.next();
        List<Replica> before = replicas;
        Plan plan = fault.apply(fleet, decision.plan());
        apply(plan);
        checkLines(plan, before);
        return plan;
    }

    private double price() {
        return priceMoves == 0 ? 1 : 1 + priceMoves * (2 * random.nextDouble() - 1);
    }

    private void checkLines(Plan plan, List<Replica> before) {
        var drained = plan.drains().stream().map(PlanLine.Drain::replica).toList();
        assertThat(plan.routed()).isNotNull().noneMatch(drained::contains);
        assertThat(plan.lines()).hasSize(before.size() + plan.launches().size());
        before.stream().filter(it -> plan.routed().contains(it.id())).forEach(it -> {
            assertThat(it.state()).isEqualTo(State.READY);
            assertThat(it.warning()).isNotEqualTo(Warning.INTERRUPTION_IMMINENT);
        });
        // Requests have somewhere to go as long as a replica may take them.
        boolean any = before.stream().anyMatch(it -> it.isReady() && it.warning() != Warning.INTERRUPTION_IMMINENT);
        assertThat(demand.target() == 0 || !any || !plan.routed().isEmpty()).isTrue();
    }

    private void apply(Plan plan) {
        now = now.plus(TICK);
        var drained = plan.drains().stream().map(PlanLine.Drain::replica).toList();
        List<Replica> next = new ArrayList<>();
        List<CapacityEvent> happened = new ArrayList<>();
        for (Replica replica : replicas) {
            if (replica.warning() == Warning.INTERRUPTION_IMMINENT || replica.state() == State.DRAINING) {
                continue;
            }
            if (drained.contains(replica.id())) {
                next.add(at(replica, State.DRAINING, replica.warning()));
                continue;
            }
            boolean warned = replica.warning() == Warning.INTERRUPTION;
            boolean lost = !warned && replica.isSpot() && random.nextDouble() < trouble;
            if (lost) {
                happened.add(new CapacityEvent(Kind.INTERRUPTED, replica.offering(), now));
            }
            State state = replica.age(now).compareTo(COLD) >= 0 ? State.READY : State.STARTING;
            Warning warning = warned ? Warning.INTERRUPTION_IMMINENT : lost ? Warning.INTERRUPTION : trouble();
            next.add(at(replica, state, warning));
        }
        for (PlanLine.Launch launch : plan.launches()) {
            if (launch.offering().isSpot() && random.nextDouble() < 3 * trouble) {
                happened.add(new CapacityEvent(Kind.LAUNCH_REFUSED, launch.offering(), now));
            } else {
                next.add(new Replica("r" + launched++, launch.offering(), now, State.STARTING, Warning.NONE));
            }
        }
        replicas = next;
        events = happened;
    }

    private Warning trouble() {
        return random.nextDouble() < trouble ? Warning.REBALANCE : Warning.NONE;
    }

    private static Replica at(Replica replica, State state, Warning warning) {
        return new Replica(replica.id(), replica.offering(), replica.launchedAt(), state, warning);
    }

    long live() {
        return replicas.stream().filter(Replica::isLive).count();
    }
}
