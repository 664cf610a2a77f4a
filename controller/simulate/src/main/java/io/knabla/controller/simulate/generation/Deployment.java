package io.knabla.controller.simulate.generation;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Replicas of one function.
 *
 * @param replicas in all; 1 or more, and with {@link ChunkPolicy.Split} a multiple of its group
 * @param transferNanos for each token whose keys and values go from one replica to another
 */
public record Deployment(int replicas, ReplicaLimits limits, StepCosts costs, double transferNanos) {

    /**
     * Serves requests under a policy.
     *
     * @throws IllegalArgumentException if the replicas do not make whole groups of the policy
     */
    ServedTexts serve(List<TextRequest> requests, ChunkPolicy policy, Objectives objectives) {
        List<SimulatedText> texts = IntStream.range(0, requests.size())
                .mapToObj(id -> new SimulatedText(id, requests.get(id), objectives))
                .toList();
        long preempted = switch (policy) {
            case ChunkPolicy.Split split -> split(texts, split, objectives);
            case ChunkPolicy.Whole _, ChunkPolicy.Fixed _, ChunkPolicy.Objective _ ->
                run(replicas, texts, settings(policy, objectives, SimulatedReplicaSettings.Role.BOTH));
        };
        return new ServedTexts(texts, objectives, replicas, preempted);
    }

    private long split(List<SimulatedText> texts, ChunkPolicy.Split split, Objectives objectives) {
        if (replicas % split.size() != 0) {
            throw new IllegalArgumentException(
                    "%s needs a multiple of %d replicas, but there are %d".formatted(split, split.size(), replicas));
        }
        int groups = replicas / split.size();
        long preempted =
                run(groups * split.readers(), texts, settings(split, objectives, SimulatedReplicaSettings.Role.READS));
        List<SimulatedText> sent = texts.stream()
                .filter(text -> text.started && !text.isReading() && !text.isComplete())
                .toList();
        sent.forEach(this::send);
        return preempted
                + run(
                        groups * split.decoders(),
                        sent.stream()
                                .sorted(Comparator.comparingLong((SimulatedText text) -> text.ready)
                                        .thenComparingLong(text -> text.id))
                                .toList(),
                        settings(split, objectives, SimulatedReplicaSettings.Role.BOTH));
    }

    private void send(SimulatedText text) {
        text.started = false;
        text.ready += Math.round(transferNanos * text.kept);
    }

    private static long run(int count, List<SimulatedText> texts, SimulatedReplicaSettings settings) {
        ReplicaGroup group = new ReplicaGroup(count, settings);
        group.run(texts);
        return group.preempted();
    }

    private SimulatedReplicaSettings settings(
            ChunkPolicy policy, Objectives objectives, SimulatedReplicaSettings.Role role) {
        return new SimulatedReplicaSettings(limits, costs, objectives, policy, role);
    }
}
