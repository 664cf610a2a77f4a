package io.knabla.controller.spot.simulate;

import io.knabla.controller.spot.policy.CapacityEvent;
import io.knabla.controller.spot.policy.Decision;
import io.knabla.controller.spot.policy.Demand;
import io.knabla.controller.spot.policy.FleetState;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.Plan;
import io.knabla.controller.spot.policy.PlanLine;
import io.knabla.controller.spot.policy.Replica.Warning;
import io.knabla.controller.spot.policy.SpotPolicy;
import io.knabla.controller.spot.trace.AvailabilityTrace;
import io.knabla.controller.spot.trace.AvailabilityTrace.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Runs one policy on one scenario, from event to event. Times are milliseconds since the trace's start. */
final class Simulation {
    private final Scenario scenario;
    private final AvailabilityTrace trace;
    private final RandomGenerator choices;
    private final RandomGenerator losses;
    private final Fleet fleet;
    private final Optional<DeadlineJob> job;
    private final List<CapacityEvent> events = new ArrayList<>();
    private final int[] capacity;
    private SpotPolicy policy;
    private long now;
    private int nextChange;
    private int nextSignal;

    private Simulation(Scenario scenario, SpotPolicy policy, Optional<DeadlineJob> job, long seed) {
        this.scenario = scenario;
        this.trace = scenario.trace();
        this.policy = policy;
        this.job = job;
        var random = new SplittableRandom(seed);
        this.choices = random.split();
        this.losses = random.split();
        this.fleet = new Fleet(scenario, random.nextLong());
        this.capacity = new int[trace.zones().size()];
    }

    /** @param seed the same seed gives the same outcome, and the same requests to every policy */
    static Outcome run(Scenario scenario, SpotPolicy policy, long seed) {
        return new Simulation(scenario, policy, Optional.empty(), seed).run();
    }

    /** Runs a job from the start of the trace until it is done; its progress is left in it. */
    static Outcome run(Scenario scenario, SpotPolicy policy, DeadlineJob job, long seed) {
        return new Simulation(scenario, policy, Optional.of(job), seed).run();
    }

    private Outcome run() {
        long end = trace.length().toMillis();
        long tick = scenario.timing().tick().toMillis();
        long nextTick = 0;
        while (now < end && !isDone()) {
            boolean happened = change();
            happened |= signal();
            happened |= fleet.settle(now);
            if (happened || now == nextTick) {
                decide();
            }
            nextTick += now == nextTick ? tick : 0;
            advance(Math.min(end, Math.min(nextTick, nextEvent())));
        }
        return fleet.outcome(now);
    }

    private boolean isDone() {
        return job.filter(DeadlineJob::isDone).isPresent();
    }

    private void advance(long until) {
        job.ifPresent(it -> it.advance(Duration.ofMillis(until - now), fleet.routed() >= scenario.target(now)));
        fleet.advance(now, until);
        now = until;
    }

    private long nextEvent() {
        long change = at(nextChange);
        long signal = hasSignals() ? at(nextSignal) - lead() : Long.MAX_VALUE;
        long target = scenario.targets().nextAfter(now);
        return Math.min(
                Math.min(fleet.nextEvent(now), target), Math.min(change, signal <= now ? Long.MAX_VALUE : signal));
    }

    private long at(int change) {
        return change < trace.changes().size()
                ? trace.changes().get(change).at().toMillis()
                : Long.MAX_VALUE;
    }

    private boolean hasSignals() {
        return lead() > 0 && nextSignal < trace.changes().size();
    }

    private long lead() {
        return scenario.timing().rebalanceLead().toMillis();
    }

    private boolean change() {
        boolean lost = false;
        for (; at(nextChange) <= now; nextChange++) {
            Change change = trace.changes().get(nextChange);
            capacity[change.zone()] = change.capacity();
            lost |= lose(change);
        }
        return lost;
    }

    private boolean lose(Change change) {
        List<Instance> victims = fleet.victims(change, losses);
        for (Instance victim : victims) {
            events.add(new CapacityEvent(CapacityEvent.Kind.INTERRUPTED, victim.offering, instant()));
            victim.warning = Warning.INTERRUPTION;
            victim.lostAt = now + scenario.timing().notice().toMillis();
        }
        return !victims.isEmpty();
    }

    /** Recommends to leave zones that are about to lose replicas. */
    private boolean signal() {
        boolean any = false;
        for (; hasSignals() && at(nextSignal) - lead() <= now; nextSignal++) {
            Change change = trace.changes().get(nextSignal);
            for (Instance instance : fleet.endangered(change)) {
                instance.warning = Warning.REBALANCE;
                events.add(new CapacityEvent(CapacityEvent.Kind.REBALANCE_RECOMMENDED, instance.offering, instant()));
                any = true;
            }
        }
        return any;
    }

    private void decide() {
        Demand demand = job.map(it -> Demand.of(scenario.target(now)).withJob(it.progress()))
                .orElseGet(() -> Demand.of(scenario.target(now)));
        Decision decision = policy.decide(
                new FleetState(
                        instant(),
                        demand,
                        scenario.timing().coldStart(),
                        scenario.market().offers(trace.zones(), instant()),
                        fleet.replicas(),
                        events),
                choices);
        events.clear();
        policy = decision.next();
        apply(decision.plan());
    }

    private void apply(Plan plan) {
        for (PlanLine line : plan.lines()) {
            switch (line) {
                case PlanLine.Keep keep -> fleet.route(keep.replica(), keep.routed());
                case PlanLine.Drain drain -> fleet.drain(drain.replica(), now);
                case PlanLine.Launch launch -> launch(launch.offering());
            }
        }
    }

    private void launch(Offering offering) {
        int zone = trace.zones().indexOf(offering.zone());
        if (offering.isSpot() && fleet.spotIn(zone) >= capacity[zone]) {
            fleet.refused();
            events.add(new CapacityEvent(CapacityEvent.Kind.LAUNCH_REFUSED, offering, instant()));
        } else {
            fleet.launch(offering, zone, now);
        }
    }

    private Instant instant() {
        return trace.start().plus(Duration.ofMillis(now));
    }
}
