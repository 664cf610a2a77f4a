package io.knabla.controller.simulate.spot;

import io.knabla.controller.simulate.spot.trace.AvailabilityTrace;
import io.knabla.controller.simulate.spot.trace.AvailabilityTrace.Change;
import io.knabla.controller.spot.policy.CapacityEvent;
import io.knabla.controller.spot.policy.Replica.Warning;
import io.knabla.controller.spot.policy.SpotPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Runs one policy on one scenario, from event to event. Times are milliseconds since the trace's start. */
final class Simulation {
    private final Scenario scenario;
    private final AvailabilityTrace trace;
    private final RandomGenerator losses;
    private final Cloud cloud;
    private final Fleet fleet;
    private final Optional<DeadlineJob> job;
    private final FleetScaler scaler;
    private long now;
    private int nextChange;
    private int nextSignal;

    private Simulation(Scenario scenario, SpotPolicy policy, Optional<DeadlineJob> job, long seed) {
        this.scenario = scenario;
        this.trace = scenario.trace();
        this.job = job;
        var random = new SplittableRandom(seed);
        RandomGenerator choices = random.split();
        this.losses = random.split();
        this.cloud = new Cloud(scenario, random.nextLong());
        this.fleet = cloud.fleet;
        var view = new PlatformView(scenario, cloud, policy);
        this.scaler = switch (scenario.platform()) {
            case None -> new PublishedScaler(scenario, cloud, policy, job, choices);
            case Laptop -> new LaptopScaler(view, choices);
            case Cluster -> new ClusterScaler(view, choices);
        };
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
                scaler.act(now);
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
            cloud.change(change);
            lost |= lose(change);
        }
        return lost;
    }

    private boolean lose(Change change) {
        List<Instance> victims = fleet.victims(change, losses);
        for (Instance victim : victims) {
            cloud.happened(CapacityEvent.Kind.INTERRUPTED, victim.offering, now);
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
                cloud.happened(CapacityEvent.Kind.REBALANCE_RECOMMENDED, instance.offering, now);
                any = true;
            }
        }
        return any;
    }
}
