package io.knabla.controller.warm.act;

import io.knabla.controller.usage.ReplicaInterval;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** Averages how long the starts of a function's replicas take; the latest count most. */
final class StartTimes {
    private static final double LATEST = 0.3;

    private final Set<String> counted = new HashSet<>();
    private double seconds;

    /** @param expected seconds, until a start was measured */
    StartTimes(double expected) {
        seconds = expected;
    }

    void observe(Collection<ReplicaInterval> replicas) {
        for (ReplicaInterval replica : replicas) {
            if (!replica.startTime().isZero() && counted.add(replica.id())) {
                double taken = replica.startTime().toNanos() / 1e9;
                seconds = counted.size() == 1 ? taken : LATEST * taken + (1 - LATEST) * seconds;
            }
        }
        if (counted.size() > 2 * replicas.size() + 1) {
            counted.retainAll(replicas.stream().map(ReplicaInterval::id).toList());
        }
    }

    double seconds() {
        return seconds;
    }
}
