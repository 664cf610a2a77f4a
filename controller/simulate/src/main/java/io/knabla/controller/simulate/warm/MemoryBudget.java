package io.knabla.controller.simulate.warm;

import io.knabla.controller.warm.policy.GreedyDual;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/** The memory of all replicas, and which idle ones are evicted when it is short. */
final class MemoryBudget {
    /** Sums of sizes differ from the budget by rounding. */
    private static final double ROUNDING_GB = 1e-9;

    private final double limitGb;
    private final GreedyDual order;
    private final Set<Replica> resident = new LinkedHashSet<>();
    private double heldGb;
    private double peakGb;

    MemoryBudget(OptionalDouble limitGb, GreedyDual order) {
        this.limitGb = limitGb.orElse(Double.POSITIVE_INFINITY);
        this.order = order;
    }

    void used(SimulatedFunction function) {
        if (limitGb < Double.POSITIVE_INFINITY) {
            order.used(function.trace.name(), function.start.seconds(), function.start.gb());
        }
    }

    boolean fits(double gb) {
        return heldGb + gb <= limitGb + ROUNDING_GB;
    }

    /** The idle replicas to evict for a replica; none if even all of them would not make room. */
    List<Replica> victims(double gb) {
        if (fits(gb)) {
            return List.of();
        }
        double needed = heldGb + gb - limitGb - ROUNDING_GB;
        List<Replica> victims = new ArrayList<>();
        for (Replica candidate : idle().sorted(evictionOrder()).toList()) {
            if (needed > 0) {
                needed -= SharedLayers.gb(candidate.layer, candidate.function.start);
                victims.add(candidate);
            }
        }
        if (needed > 0) {
            return List.of();
        }
        victims.forEach(victim -> order.evicted(victim.function.trace.name()));
        return victims;
    }

    private Comparator<Replica> evictionOrder() {
        return Comparator.comparingDouble((Replica replica) -> order.priority(replica.function.trace.name()))
                .thenComparingLong(replica -> replica.idleSince);
    }

    void add(Replica replica) {
        resident.add(replica);
        heldGb += SharedLayers.gb(replica.layer, replica.function.start);
        peakGb = Math.max(peakGb, heldGb);
    }

    void remove(Replica replica) {
        resident.remove(replica);
        heldGb -= SharedLayers.gb(replica.layer, replica.function.start);
        if (replica.layer == null && !replica.function.hasOtherReplicas(replica)) {
            order.left(replica.function.trace.name());
        }
    }

    Stream<Replica> idle() {
        return resident.stream().filter(replica -> replica.running == 0);
    }

    double peakGb() {
        return peakGb;
    }
}
