package io.knabla.controller.simulate.generation;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Simulated replicas with equal settings behind a load balancer: each text goes to the one with the fewest texts. */
final class ReplicaGroup {
    private final List<SimulatedReplica> replicas;

    ReplicaGroup(int count, SimulatedReplicaSettings settings) {
        replicas = IntStream.range(0, count)
                .mapToObj(_ -> new SimulatedReplica(settings))
                .toList();
    }

    /** Computes what can be computed of texts, which come in the order of their times. */
    void run(List<SimulatedText> texts) {
        for (SimulatedText text : texts) {
            replicas.forEach(replica -> replica.runUntil(text.ready));
            replicas.stream()
                    .min(Comparator.comparingInt(SimulatedReplica::load))
                    .orElseThrow()
                    .add(text);
        }
        replicas.forEach(replica -> replica.runUntil(Long.MAX_VALUE));
    }

    long preempted() {
        return replicas.stream().mapToLong(SimulatedReplica::preempted).sum();
    }
}
