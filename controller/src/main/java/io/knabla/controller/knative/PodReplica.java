package io.knabla.controller.knative;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.platform.VersionKey;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Converts a pod to a replica: state, address and reason, from the pod's labels and status. Pure. */
final class PodReplica {
    /** Port on which Knative's queue-proxy accepts requests. */
    private static final int QUEUE_PROXY = 8012;

    private PodReplica() {}

    /** Empty for a pod without the labels of a function and a version. */
    static Optional<Replica> of(Pod pod) {
        return WorkloadLabels.version(pod).map(version -> of(pod, version));
    }

    private static Replica of(Pod pod, VersionKey version) {
        PodStatus status = Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
        State state = state(pod, status);
        return new Replica(
                pod.getMetadata().getName(),
                version.function(),
                version.version(),
                Optional.empty(),
                Objects.requireNonNullElse(pod.getSpec().getNodeName(), ""),
                state,
                address(state, status),
                "",
                Map.of(),
                started(pod, status),
                reason(state, status),
                Replica.Failure.UNSPECIFIED,
                Replica.Start.COLD);
    }

    /** The final state of a replica after its pod was deleted. */
    static Replica gone(Replica last) {
        return new Replica(
                last.id(),
                last.function(),
                last.version(),
                last.versionCreated(),
                last.node(),
                last.state() == State.FAILED ? State.FAILED : State.STOPPED,
                Optional.empty(),
                last.token(),
                last.phases(),
                last.started(),
                last.state() == State.FAILED ? last.reason() : "its pod is gone",
                Replica.Failure.UNSPECIFIED,
                Replica.Start.COLD);
    }

    private static State state(Pod pod, PodStatus status) {
        String phase = Objects.requireNonNullElse(status.getPhase(), "Pending");
        if (phase.equals("Failed")) {
            return State.FAILED;
        }
        if (phase.equals("Succeeded")) {
            return State.STOPPED;
        }
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return State.DRAINING;
        }
        return condition(status, "Ready")
                        .filter(ready -> ready.getStatus().equals("True"))
                        .isPresent()
                ? State.READY
                : State.STARTING;
    }

    private static Optional<PodCondition> condition(PodStatus status, String type) {
        return status.getConditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }

    private static Optional<URI> address(State state, PodStatus status) {
        return state == State.READY && status.getPodIP() != null
                ? Optional.of(URI.create("http://%s:%d".formatted(host(status.getPodIP()), QUEUE_PROXY)))
                : Optional.empty();
    }

    private static String host(String ip) {
        return ip.contains(":") ? "[" + ip + "]" : ip;
    }

    private static Instant started(Pod pod, PodStatus status) {
        return Stream.of(status.getStartTime(), pod.getMetadata().getCreationTimestamp())
                .filter(Objects::nonNull)
                .findFirst()
                .map(Instant::parse)
                .orElse(Instant.EPOCH);
    }

    private static String reason(State state, PodStatus status) {
        return switch (state) {
            case READY -> "ready";
            case UNRESPONSIVE -> "it does not answer its health probes";
            case DRAINING -> "finishing its requests";
            case STOPPED -> "ended";
            case STARTING -> trouble(status).orElse("starting");
            case FAILED -> trouble(status).orElse("failed");
        };
    }

    /** Reason of the pod; else of a waiting or terminated container; else of the scheduler. */
    private static Optional<String> trouble(PodStatus status) {
        return said(status.getReason(), status.getMessage())
                .or(() -> status.getContainerStatuses().stream()
                        .flatMap(PodReplica::trouble)
                        .findFirst())
                .or(() -> condition(status, "PodScheduled")
                        .filter(it -> it.getStatus().equals("False"))
                        .flatMap(it -> said(it.getReason(), it.getMessage())));
    }

    private static Stream<String> trouble(ContainerStatus container) {
        ContainerState now = Objects.requireNonNullElseGet(container.getState(), ContainerState::new);
        List<Optional<String>> words = List.of(
                Optional.ofNullable(now.getWaiting()).flatMap(it -> said(it.getReason(), it.getMessage())),
                Optional.ofNullable(now.getTerminated()).flatMap(it -> said(it.getReason(), it.getMessage())));
        return words.stream().flatMap(Optional::stream);
    }

    private static Optional<String> said(String reason, String message) {
        return Optional.ofNullable(reason)
                .map(word -> message == null || message.isBlank() ? word : word + ": " + message.strip());
    }
}
