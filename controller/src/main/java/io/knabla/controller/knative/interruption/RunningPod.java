package io.knabla.controller.knative.interruption;

import static java.util.stream.Collectors.groupingBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.knabla.controller.knative.WorkloadLabels;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.platform.WorkloadOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A pod of a workload that is not about to end, reduced to the facts that decisions need.
 *
 * @param revision name of its Revision; empty if its owner is no function
 * @param node empty while it has none
 * @param readySince empty while it is not ready
 * @param grace time that it may take to end
 * @param waiting since when no node has had room for it; empty if it has a node
 */
record RunningPod(
        String uid,
        String namespace,
        String name,
        WorkloadOwner owner,
        String revision,
        CapacitySlot slot,
        String node,
        Optional<Instant> readySince,
        Instant created,
        Duration grace,
        Optional<Instant> waiting) {
    /** Knative's label. */
    static final String REVISION = "serving.knative.dev/revision";

    private static final List<String> ENDED = List.of("Succeeded", "Failed");

    /** Empty for a pod that ends or has ended, and for one whose labels name no owner. */
    static Optional<RunningPod> of(Pod pod) {
        if (pod.isMarkedForDeletion() || ENDED.contains(phase(pod))) {
            return Optional.empty();
        }
        return WorkloadLabels.owner(pod).flatMap(owner -> of(pod, owner));
    }

    private static Optional<RunningPod> of(Pod pod, WorkloadOwner owner) {
        var metadata = pod.getMetadata();
        Map<String, String> labels = metadata.getLabels();
        Instant created = time(metadata.getCreationTimestamp()).orElse(Instant.EPOCH);
        return CapacitySlot.of(labels)
                .map(slot -> new RunningPod(
                        metadata.getUid(),
                        metadata.getNamespace(),
                        metadata.getName(),
                        owner,
                        labels.getOrDefault(REVISION, ""),
                        slot,
                        Objects.requireNonNullElse(pod.getSpec().getNodeName(), ""),
                        condition(pod, "Ready", "True")
                                .map(it -> time(it.getLastTransitionTime()).orElse(created)),
                        created,
                        Duration.ofSeconds(
                                Objects.requireNonNullElse(pod.getSpec().getTerminationGracePeriodSeconds(), 30L)),
                        condition(pod, "PodScheduled", "False")
                                .filter(it -> "Unschedulable".equals(it.getReason()))
                                .flatMap(it -> time(it.getLastTransitionTime()))));
    }

    boolean ready() {
        return readySince.isPresent();
    }

    /** Pods of functions by version; those of other workloads are left out. */
    static Map<VersionKey, List<RunningPod>> byVersion(Collection<RunningPod> pods) {
        return pods.stream()
                .filter(pod -> pod.owner().version().isPresent())
                .collect(groupingBy(pod -> pod.owner().version().orElseThrow()));
    }

    /** Names the pods that stand in for each other: those of a Revision; no other does for any other workload. */
    String substitutes() {
        return revision.isEmpty() ? uid : namespace + "/" + revision;
    }

    private static String phase(Pod pod) {
        return pod.getStatus() == null
                ? ""
                : Objects.requireNonNullElse(pod.getStatus().getPhase(), "");
    }

    private static Optional<PodCondition> condition(Pod pod, String type, String status) {
        return Stream.ofNullable(pod.getStatus())
                .flatMap(it -> it.getConditions().stream())
                .filter(it -> type.equals(it.getType()) && status.equals(it.getStatus()))
                .findFirst();
    }

    private static Optional<Instant> time(String text) {
        return Optional.ofNullable(text).map(Instant::parse);
    }
}
