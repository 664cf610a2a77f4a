package io.knabla.controller.simulate.spot;

import io.knabla.controller.simulate.spot.trace.AvailabilityTrace.Change;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.Replica;
import io.knabla.controller.spot.policy.Replica.Warning;
import io.knabla.controller.usage.NodeEnd;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** The instances of one simulation, what they serve and what they cost. */
final class Fleet {
    private final Scenario scenario;
    private final Optional<RequestQueue> requests;
    private final List<Instance> instances = new ArrayList<>();
    private BigDecimal cost = BigDecimal.ZERO;
    private long launched;
    private long refused;
    private long interrupted;
    private long metMillis;
    private long outageMillis;
    private long spotMillis;
    private long allMillis;

    Fleet(Scenario scenario, long seed) {
        this.scenario = scenario;
        this.requests = scenario.workload().map(workload -> new RequestQueue(workload, seed));
    }

    void launch(Offering offering, int zone, long now) {
        launched++;
        long readyAt = now + scenario.timing().coldStart().toMillis();
        instances.add(new Instance("r" + launched, offering, zone, instant(now), readyAt));
    }

    void refused() {
        refused++;
    }

    /** Spot capacity in use. */
    int spotIn(int zone) {
        int count = 0;
        for (Instance instance : instances) {
            count += instance.holdsSpotIn(zone) ? 1 : 0;
        }
        return count;
    }

    int routed() {
        int count = 0;
        for (Instance instance : instances) {
            count += instance.routed ? 1 : 0;
        }
        return count;
    }

    List<Instance> instances() {
        return instances;
    }

    /** Instances that neither drain nor are about to be taken back. */
    Stream<Instance> live() {
        return instances.stream().filter(instance -> !instance.draining && instance.warning != Warning.INTERRUPTION);
    }

    List<Replica> replicas() {
        return instances.stream().map(Instance::asReplica).toList();
    }

    /** The next time at which an instance becomes ready, is lost or has drained. */
    long nextEvent(long now) {
        long next = Long.MAX_VALUE;
        for (Instance instance : instances) {
            if (!instance.ready) {
                next = Math.min(next, instance.readyAt);
            }
            next = Math.min(next, instance.lostAt);
            if (instance.draining && instance.warning != Warning.INTERRUPTION) {
                next = Math.min(next, now + 1000);
            }
        }
        return next;
    }

    /** Makes instances ready, and ends those that are lost or have drained. Returns whether any did. */
    boolean settle(long now) {
        boolean any = false;
        for (Iterator<Instance> each = instances.iterator(); each.hasNext(); ) {
            Instance instance = each.next();
            if (instance.lostAt <= now) {
                interrupted++;
                end(instance, now, NodeEnd.INTERRUPTED);
                each.remove();
                any = true;
            } else if (hasDrained(instance)) {
                end(instance, now, NodeEnd.RELEASED);
                each.remove();
            } else if (!instance.ready && instance.readyAt <= now) {
                instance.ready = true;
                requests.ifPresent(queue -> queue.add(instance));
                any = true;
            }
        }
        return any;
    }

    /** One that is taken back anyway is left running until then. */
    private boolean hasDrained(Instance instance) {
        return instance.draining
                && instance.warning != Warning.INTERRUPTION
                && requests.filter(queue -> queue.isBusy(instance)).isEmpty();
    }

    private void end(Instance instance, long now, NodeEnd how) {
        instance.routed = false;
        requests.ifPresent(queue -> queue.remove(instance));
        cost = cost.add(scenario.market()
                .bill(new BilledInstance(instance.id, instance.offering, instance.launchedAt, instant(now), how)));
    }

    void route(String id, boolean routed) {
        Instance instance = find(id);
        instance.routed = routed && instance.ready;
    }

    /** Routes requests to all that are ready and do not drain. */
    void routeLive() {
        instances.forEach(instance -> instance.routed = instance.ready && !instance.draining);
    }

    void drain(String id, long now) {
        Instance instance = find(id);
        instance.draining = true;
        instance.routed = false;
        if (hasDrained(instance)) {
            end(instance, now, NodeEnd.RELEASED);
            instances.remove(instance);
        }
    }

    private Instance find(String id) {
        for (Instance instance : instances) {
            if (instance.id.equals(id)) {
                return instance;
            }
        }
        throw new IllegalStateException("the plan names the replica %s, which does not exist".formatted(id));
    }

    /** Instances that a change takes back. */
    List<Instance> victims(Change change, RandomGenerator random) {
        List<Instance> held = new ArrayList<>(endangered(change));
        Collections.shuffle(held, Random.from(random));
        List<Instance> victims = new ArrayList<>();
        for (Instance instance : held) {
            boolean tooMany = held.size() - victims.size() > change.capacity();
            if (tooMany || random.nextDouble() < change.lostShare()) {
                victims.add(instance);
            }
        }
        return victims;
    }

    /** Instances that a change may take back. */
    List<Instance> endangered(Change change) {
        List<Instance> held = instances.stream()
                .filter(instance -> instance.holdsSpotIn(change.zone()))
                .toList();
        return held.size() > change.capacity() || change.lostShare() > 0 ? held : List.of();
    }

    void advance(long now, long until) {
        long millis = until - now;
        int routed = 0;
        for (Instance instance : instances) {
            routed += instance.routed ? 1 : 0;
            spotMillis += instance.offering.isSpot() ? millis : 0;
            allMillis += millis;
        }
        int target = scenario.target(now);
        metMillis += routed >= target ? millis : 0;
        outageMillis += routed == 0 && target > 0 ? millis : 0;
        requests.ifPresent(queue -> queue.advance(until));
    }

    private Instant instant(long millis) {
        return scenario.trace().start().plus(Duration.ofMillis(millis));
    }

    /** Ends all instances. */
    Outcome outcome(long now) {
        RequestCounts counts = requests.map(RequestQueue::counts).orElse(RequestCounts.NONE);
        instances.forEach(instance -> end(instance, now, NodeEnd.RELEASED));
        instances.clear();
        return new Outcome(
                cost.divide(scenario.onDemandCost(now), MathContext.DECIMAL64),
                (double) metMillis / now,
                (double) outageMillis / now,
                allMillis / 3.6e6,
                spotMillis / 3.6e6,
                new Outcome.LaunchCounts(launched, refused, interrupted),
                counts);
    }
}
