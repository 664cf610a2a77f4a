package io.knabla.controller.knative.status;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.knative.resource.Reason;
import java.util.Optional;
import java.util.stream.Collectors;

/** Detects from failed replicas that the newest version's unit is missing from the store. */
public final class MissingUnit {
    private MissingUnit() {}

    /**
     * Fingerprint of the replica restarts caused by a missing unit of the newest version; changes with each restart,
     * empty if there were none.
     */
    public static Optional<String> fingerprint(FunctionSnapshot seen, FunctionRecord record) {
        return Optional.of(record.versions().stream()
                        .filter(version -> usesNewestUnit(version, record))
                        .flatMap(version -> seen.pods(version.number()).stream())
                        .filter(pod -> misses(pod, seen))
                        .map(MissingUnit::fingerprint)
                        .collect(Collectors.joining(" ")))
                .filter(word -> !word.isEmpty());
    }

    /** Whether the version uses the newest version's unit, the only unit that a deploy rebuilds. */
    static boolean usesNewestUnit(Version version, FunctionRecord record) {
        return version.unit().equals(record.latest().unit());
    }

    private static boolean misses(Pod pod, FunctionSnapshot seen) {
        return Pods.trouble(pod, seen.nodes())
                .filter(trouble -> trouble.has(Reason.UnitMissing))
                .isPresent();
    }

    private static String fingerprint(Pod pod) {
        int restarts = pod.getStatus().getContainerStatuses().stream()
                .mapToInt(ContainerStatus::getRestartCount)
                .sum();
        return pod.getMetadata().getUid() + "/" + restarts;
    }
}
