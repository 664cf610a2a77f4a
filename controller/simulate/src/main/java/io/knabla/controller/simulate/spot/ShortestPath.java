package io.knabla.controller.simulate.spot;

import io.knabla.controller.simulate.spot.baseline.Omniscient;
import io.knabla.controller.simulate.spot.trace.AvailabilityTrace;
import io.knabla.controller.simulate.spot.trace.AvailabilityTrace.Change;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.ZoneOffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Finds the cheapest schedule that always has the target ready, with knowledge of the whole trace: a shortest path for
 * each replica over (tick, offering that is ready). To stay costs the price of a tick; to change costs the new
 * offering's price for the cold start in addition, and needs capacity for that long. One replica after the other takes
 * its capacity, which is the optimum if zones are not limited to counts.
 */
final class ShortestPath {
    private static final double UNREACHABLE = Double.POSITIVE_INFINITY;

    private final Scenario scenario;
    private final AvailabilityTrace trace;
    private final long tick;
    private final int ticks;
    private final int coldTicks;
    private final int onDemand;

    /** Free spot capacity by zone and tick: the least within the tick. */
    private final int[][] free;

    private ShortestPath(Scenario scenario) {
        this.scenario = scenario;
        this.trace = scenario.trace();
        this.tick = scenario.timing().tick().toMillis();
        this.ticks = (int) Math.ceilDiv(trace.length().toMillis(), tick);
        this.coldTicks = (int) Math.ceilDiv(scenario.timing().coldStart().toMillis(), tick);
        this.onDemand = trace.zones().size();
        this.free = capacity();
    }

    /** @throws IllegalArgumentException if the target changes */
    static Omniscient policy(Scenario scenario) {
        if (!scenario.targets().isConstant()) {
            throw new IllegalArgumentException("Omniscient needs a target that does not change");
        }
        var path = new ShortestPath(scenario);
        List<NavigableMap<Instant, Offering>> schedules = new ArrayList<>();
        for (int replica = 0; replica < scenario.target(0); replica++) {
            schedules.add(path.next());
        }
        return new Omniscient(schedules);
    }

    private int[][] capacity() {
        int[][] least = new int[onDemand][ticks];
        long[] until = new long[onDemand];
        int[] held = new int[onDemand];
        for (Change change : trace.changes()) {
            int zone = change.zone();
            long at = change.at().toMillis();
            fill(least[zone], until[zone], at, held[zone]);
            until[zone] = at;
            held[zone] = change.capacity();
            if (change.lostShare() > 0 && at > 0) {
                least[zone][(int) Math.min(ticks - 1L, (at - 1) / tick)] = 0;
            }
        }
        for (int zone = 0; zone < onDemand; zone++) {
            fill(least[zone], until[zone], ticks * tick, held[zone]);
        }
        return least;
    }

    /** A tick in which the capacity changes has the smaller one. */
    private void fill(int[] least, long from, long until, int capacity) {
        int first = (int) (from / tick);
        int last = (int) Math.min(ticks - 1L, (until - 1) / tick);
        for (int at = first; at <= last; at++) {
            boolean shared = at == first && from % tick != 0;
            least[at] = shared ? Math.min(least[at], capacity) : capacity;
        }
    }

    private NavigableMap<Instant, Offering> next() {
        byte[][] from = new byte[ticks + 1][];
        int at = cheapest(from);
        NavigableMap<Instant, Offering> schedule = new TreeMap<>();
        for (int step = ticks; step > 0; step--) {
            take(at, step - 1, 1);
            int before = from[step - 1][at];
            if (before != at) {
                take(at, step - 1 - coldTicks, coldTicks);
                schedule.put(instant(step - 1 - coldTicks), offering(at));
                at = before;
            }
        }
        schedule.put(trace.start(), offering(at));
        return schedule;
    }

    private void take(int offering, int first, int count) {
        for (int step = first; offering < onDemand && step < first + count; step++) {
            free[offering][step]--;
        }
    }

    /** Fills in which offering is left when another is ready at a tick, and returns the last one. */
    private int cheapest(byte[][] from) {
        double[] costs = new double[onDemand + 1];
        int[] run = new int[onDemand + 1];
        for (int step = 0; step < ticks; step++) {
            List<ZoneOffer> offers = scenario.market().offers(trace.zones(), instant(step));
            from[step] = changed(costs, run, offers, step);
            for (int j = 0; j <= onDemand; j++) {
                boolean available = j == onDemand || free[j][step] > 0;
                run[j] = available ? run[j] + 1 : 0;
                costs[j] = available ? costs[j] + price(offers, j) : UNREACHABLE;
            }
        }
        return argmin(costs);
    }

    private byte[] changed(double[] costs, int[] run, List<ZoneOffer> offers, int step) {
        byte[] left = new byte[costs.length];
        int best = argmin(costs);
        double least = costs[best];
        for (int j = 0; j < costs.length; j++) {
            left[j] = (byte) j;
            double change = least + coldTicks * price(offers, j);
            if (step >= coldTicks && run[j] >= coldTicks && change < costs[j]) {
                left[j] = (byte) best;
                costs[j] = change;
            }
        }
        return left;
    }

    private double price(List<ZoneOffer> offers, int j) {
        return j == onDemand ? offers.getFirst().onDemandPrice() : offers.get(j).spotPrice();
    }

    private static int argmin(double[] costs) {
        int best = costs.length - 1;
        for (int j = 0; j < costs.length; j++) {
            best = costs[j] < costs[best] ? j : best;
        }
        return best;
    }

    private Offering offering(int j) {
        return j == onDemand
                ? Offering.onDemand(trace.zones().getFirst())
                : Offering.spot(trace.zones().get(j));
    }

    private Instant instant(int step) {
        return trace.start().plus(Duration.ofMillis(Math.max(0, step) * tick));
    }
}
