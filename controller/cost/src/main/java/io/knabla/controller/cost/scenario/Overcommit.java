package io.knabla.controller.cost.scenario;

import io.knabla.controller.usage.Interval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A time in which the same replicas hold more of a resource than their node has.
 *
 * @param holders in the order of their starts
 * @param shares what each of them has
 */
record Overcommit(Interval time, List<ReplicaTime> holders, NodeShares shares) {
    /**
     * All such times of a node, in order, without overlaps.
     *
     * @param replicas in the order of their starts
     */
    static List<Overcommit> of(NodeShares.Weights size, List<ReplicaTime> replicas) {
        List<ReplicaTime> living = replicas.stream()
                .filter(replica -> replica.start().isBefore(replica.end()))
                .toList();
        NodeShares.Weights all =
                living.stream().map(ReplicaTime::held).reduce(NodeShares.Weights.NONE, NodeShares.Weights::plus);
        return all.exceeds(size) ? sweep(size, living) : List.of();
    }

    private static List<Overcommit> sweep(NodeShares.Weights size, List<ReplicaTime> replicas) {
        List<ReplicaTime> ending = new ArrayList<>(replicas);
        ending.sort(Comparator.comparing(ReplicaTime::end));
        List<Overcommit> found = new ArrayList<>();
        Map<String, ReplicaTime> active = new LinkedHashMap<>();
        NodeShares.Weights held = NodeShares.Weights.NONE;
        int ended = 0;
        int started = 0;
        Instant from = Instant.MIN;
        while (ended < ending.size()) {
            boolean starts = started < replicas.size()
                    && replicas.get(started).start().isBefore(ending.get(ended).end());
            Instant now =
                    starts ? replicas.get(started).start() : ending.get(ended).end();
            if (held.exceeds(size) && from.isBefore(now)) {
                found.add(new Overcommit(
                        Interval.of(from, now), List.copyOf(active.values()), new NodeShares(size, held)));
            }
            if (starts) {
                ReplicaTime next = replicas.get(started++);
                active.put(next.row().id(), next);
                held = held.plus(next.held());
            } else {
                ReplicaTime gone = ending.get(ended++);
                active.remove(gone.row().id());
                held = held.minus(gone.held());
            }
            from = now;
        }
        return found;
    }
}
