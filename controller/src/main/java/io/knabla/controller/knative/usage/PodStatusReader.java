package io.knabla.controller.knative.usage;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads times and states of a pod as the API server has them, to the second. Pure. */
final class PodStatusReader {
    /** Name of the container that runs the replica; the other one is Knative's queue-proxy. */
    static final String REPLICA = "replica";

    private PodStatusReader() {}

    /** From then on it holds resources of its node. */
    static Optional<Instant> scheduled(Pod pod) {
        return condition(pod, "PodScheduled")
                .filter(PodStatusReader::holds)
                .map(PodStatusReader::since)
                .or(() -> Optional.ofNullable(pod.getSpec().getNodeName())
                        .map(_ -> pod.getMetadata().getCreationTimestamp())
                        .map(Instant::parse));
    }

    static Optional<Instant> ready(Pod pod) {
        return condition(pod, "Ready").filter(PodStatusReader::holds).map(PodStatusReader::since);
    }

    /** Reason of condition DisruptionTarget: who evicted the pod. */
    static Optional<String> disruption(Pod pod) {
        return condition(pod, "DisruptionTarget").filter(PodStatusReader::holds).map(PodCondition::getReason);
    }

    static boolean isDeleted(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }

    /** When its deletion was asked for: the deletion timestamp is when its grace period ends. */
    static Optional<Instant> deletionRequested(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getDeletionTimestamp())
                .map(Instant::parse)
                .map(end ->
                        end.minusSeconds(Optional.ofNullable(pod.getMetadata().getDeletionGracePeriodSeconds())
                                .orElse(0L)));
    }

    /** Succeeded or Failed: its containers ended and are not started again. */
    static boolean isOver(Pod pod) {
        return pod.getStatus() != null
                && ("Succeeded".equals(pod.getStatus().getPhase())
                        || "Failed".equals(pod.getStatus().getPhase()));
    }

    /** When the last of its containers terminated; empty if one did not, or none was started. */
    static Optional<Instant> finished(Pod pod) {
        List<ContainerStatus> containers = containers(pod).toList();
        List<Instant> ends = containers.stream()
                .flatMap(container -> terminated(container.getState()).stream())
                .flatMap(end -> Stream.ofNullable(end.getFinishedAt()))
                .map(Instant::parse)
                .toList();
        return ends.size() == containers.size() ? ends.stream().max(Instant::compareTo) : Optional.empty();
    }

    /** The latest time at which a condition changed. */
    static Optional<Instant> lastTransition(Pod pod) {
        return conditions(pod).map(PodStatusReader::since).max(Instant::compareTo);
    }

    static Optional<ContainerStatus> replica(Pod pod) {
        return containers(pod)
                .filter(container -> REPLICA.equals(container.getName()))
                .findFirst();
    }

    static Optional<ContainerStateTerminated> terminated(ContainerState state) {
        return Optional.ofNullable(state).map(ContainerState::getTerminated);
    }

    /**
     * Start phases as far as the API server knows them: {@code place} until the container was started, {@code load}
     * until the pod was ready. The start of the JVM and the fetching of the unit are part of {@code load}. Empty until
     * it is ready.
     */
    static Map<String, Duration> startPhases(Pod pod) {
        Optional<Instant> started = replica(pod)
                .map(ContainerStatus::getState)
                .map(ContainerState::getRunning)
                .map(running -> running.getStartedAt())
                .map(Instant::parse);
        return scheduled(pod)
                .flatMap(from -> ready(pod)
                        .flatMap(to -> started.map(
                                at -> Map.of("place", Duration.between(from, at), "load", Duration.between(at, to)))))
                .filter(phases -> phases.values().stream().noneMatch(Duration::isNegative))
                .orElse(Map.of());
    }

    private static Stream<ContainerStatus> containers(Pod pod) {
        return Stream.ofNullable(pod.getStatus())
                .flatMap(status -> Stream.ofNullable(status.getContainerStatuses()))
                .flatMap(List::stream);
    }

    private static Optional<PodCondition> condition(Pod pod, String type) {
        return conditions(pod)
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }

    private static Stream<PodCondition> conditions(Pod pod) {
        return Stream.ofNullable(pod.getStatus())
                .flatMap(status -> Stream.ofNullable(status.getConditions()))
                .flatMap(List::stream)
                .filter(condition -> condition.getLastTransitionTime() != null);
    }

    private static boolean holds(PodCondition condition) {
        return "True".equals(condition.getStatus());
    }

    private static Instant since(PodCondition condition) {
        return Instant.parse(condition.getLastTransitionTime());
    }
}
