package io.knabla.controller.usage;

import java.time.Duration;
import java.util.Map;

/**
 * Time for which a replica, or another workload, held resources of a node.
 *
 * @param id never reused: a pod's uid, or the id of a local replica
 * @param function its name; of a workload of another kind of object the kind and its name, such as
 *     {@code training/digits}
 * @param version its number; of another kind of object the number of its run
 * @param node {@link NodeInterval#id} of its node
 * @param requested what it reserves on its node
 * @param used average use over its life
 * @param startPhases time of each phase of its start: place, fetch, boot, load; it is ready after their sum
 * @param work what it did until now, or in its life
 */
public record ReplicaInterval(
        String id,
        String namespace,
        String function,
        int version,
        String node,
        Resources requested,
        Resources used,
        Interval time,
        StartKind startKind,
        Map<String, Duration> startPhases,
        Work work,
        ReplicaEnd end) {

    public ReplicaInterval {
        startPhases = Map.copyOf(startPhases);
    }

    /** This replica, running for another time. */
    public ReplicaInterval during(Interval other, ReplicaEnd itsEnd) {
        return new ReplicaInterval(
                id, namespace, function, version, node, requested, used, other, startKind, startPhases, work, itsEnd);
    }

    public ReplicaInterval withStartPhases(Map<String, Duration> other) {
        return new ReplicaInterval(
                id, namespace, function, version, node, requested, used, time, startKind, other, work, end);
    }

    public ReplicaInterval withWork(Work other) {
        return new ReplicaInterval(
                id, namespace, function, version, node, requested, used, time, startKind, startPhases, other, end);
    }

    /** Time from its start until it was ready. */
    public Duration startTime() {
        Duration sum = Duration.ZERO;
        for (Duration phase : startPhases.values()) {
            sum = sum.plus(phase);
        }
        return sum;
    }
}
