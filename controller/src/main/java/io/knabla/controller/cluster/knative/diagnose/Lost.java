package io.knabla.controller.cluster.knative.diagnose;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether the store has lost a unit, as the replicas tell that came for it. */
public final class Lost {
    private Lost() {}

    /** Another word for every end that a replica of this version came to for want of its unit; empty for none. */
    public static Optional<String> word(Seen seen, int version) {
        return Optional.of(
                        seen.pods(version).stream()
                                .filter(pod -> misses(pod, seen))
                                .map(Lost::word)
                                .collect(Collectors.joining(" ")))
                .filter(word -> !word.isEmpty());
    }

    private static boolean misses(Pod pod, Seen seen) {
        return Pods.trouble(pod, seen.nodes())
                .filter(trouble -> trouble.reason().equals(StoreFaults.UnitMissing.name()))
                .isPresent();
    }

    private static String word(Pod pod) {
        int restarts =
                pod.getStatus().getContainerStatuses().stream()
                        .mapToInt(ContainerStatus::getRestartCount)
                        .sum();
        return pod.getMetadata().getUid() + "/" + restarts;
    }
}
