package io.knabla.controller.knative.usage;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.usage.ReplicaEnd;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** When and why a pod stopped to hold resources of its node. */
record PodEnd(Instant at, ReplicaEnd reason) {
    /** Reason of a pod whose eviction somebody asked for: a drain for a notice as well as for an update. */
    private static final String BY_API = "EvictionByEvictionAPI";

    /**
     * @param gone when the pod was deleted; empty while it exists
     * @param nodeNoticed whether the provider takes its node back
     * @return empty while it holds resources
     */
    static Optional<PodEnd> of(Pod pod, Optional<Instant> gone, boolean nodeNoticed) {
        return time(pod, gone).map(at -> new PodEnd(at, reason(pod, nodeNoticed)));
    }

    /** A container that ended is started again, unless the pod is over or deleted. */
    private static Optional<Instant> time(Pod pod, Optional<Instant> gone) {
        boolean over = PodStatusReader.isOver(pod);
        if (gone.isEmpty() && !over && !PodStatusReader.isDeleted(pod)) {
            return Optional.empty();
        }
        return PodStatusReader.finished(pod)
                .or(() -> over ? PodStatusReader.lastTransition(pod) : Optional.empty())
                .or(() -> gone);
    }

    private static ReplicaEnd reason(Pod pod, boolean nodeNoticed) {
        boolean evicted =
                PodStatusReader.disruption(pod).filter(by -> !BY_API.equals(by)).isPresent();
        if (evicted || nodeNoticed) {
            return ReplicaEnd.INTERRUPTED;
        }
        return failed(pod) ? ReplicaEnd.FAILED : ReplicaEnd.STOPPED;
    }

    /** Whether its last run ended by itself with an error, or for want of memory. */
    private static boolean failed(Pod pod) {
        Optional<Instant> asked = PodStatusReader.deletionRequested(pod);
        return PodStatusReader.replica(pod).flatMap(PodEnd::lastRun).stream()
                .filter(run -> run.getExitCode() != null && run.getExitCode() != 0)
                .anyMatch(run -> "OOMKilled".equals(run.getReason())
                        || asked.isEmpty()
                        || Optional.ofNullable(run.getFinishedAt())
                                .map(Instant::parse)
                                .filter(asked.get()::isAfter)
                                .isPresent());
    }

    /** The run that ended last; empty while one goes on. */
    private static Optional<ContainerStateTerminated> lastRun(ContainerStatus container) {
        boolean running = container.getState() != null && container.getState().getRunning() != null;
        return running
                ? Optional.empty()
                : Stream.of(container.getState(), container.getLastState())
                        .flatMap(state -> PodStatusReader.terminated(state).stream())
                        .findFirst();
    }
}
