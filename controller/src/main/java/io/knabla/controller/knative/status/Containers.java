package io.knabla.controller.knative.status;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Explains why a container of a scheduled pod does not run. */
final class Containers {
    private static final Set<String> IMAGE = Set.of(
            "ImagePullBackOff",
            "ErrImagePull",
            "InvalidImageName",
            "ErrImageNeverPull",
            "RegistryUnavailable",
            "ImageInspectError");

    /** Waiting reason when a referenced Secret, ConfigMap or key does not exist. */
    private static final String LACKING = "CreateContainerConfigError";

    /** Waiting reasons of a normal start. */
    private static final Set<String> HEALTHY = Set.of("ContainerCreating", "PodInitializing", "");

    /** Start of the message when a busy kubelet has not read a Secret yet; it retries by itself. */
    private static final String BUSY = "failed to sync ";

    private Containers() {}

    static Optional<Trouble> trouble(Pod pod) {
        return statuses(pod).flatMap(status -> trouble(pod, status).stream()).findFirst();
    }

    static boolean lacksObjects(Pod pod) {
        return pod.getStatus() != null
                && statuses(pod)
                        .flatMap(status -> waiting(status).stream())
                        .anyMatch(waiting -> LACKING.equals(waiting.getReason()));
    }

    private static Stream<ContainerStatus> statuses(Pod pod) {
        return Stream.concat(
                statuses(pod.getStatus().getInitContainerStatuses()),
                statuses(pod.getStatus().getContainerStatuses()));
    }

    private static Stream<ContainerStatus> statuses(List<ContainerStatus> statuses) {
        return statuses == null ? Stream.empty() : statuses.stream();
    }

    /** Ignores the container's ready flag: Knative's queue-proxy runs the replica's readiness probe. */
    private static Optional<Trouble> trouble(Pod pod, ContainerStatus status) {
        return waiting(status)
                .filter(waiting -> !"CrashLoopBackOff".equals(waiting.getReason()))
                .map(waiting -> waitingTrouble(pod, status, waiting))
                .or(() -> ended(status).map(ended -> Exits.trouble(ended, times(status), limit(pod, status))));
    }

    private static Trouble waitingTrouble(Pod pod, ContainerStatus status, ContainerStateWaiting waiting) {
        String said = Objects.toString(waiting.getMessage(), "no more was said");
        return IMAGE.contains(waiting.getReason())
                ? Images.trouble(waiting.getReason(), image(pod, status), said)
                : Trouble.running(
                        waiting.getReason(),
                        "container '%s' cannot be made: %s. Make what it asks for, or deploy again."
                                .formatted(status.getName(), said));
    }

    private static Optional<ContainerStateWaiting> waiting(ContainerStatus status) {
        return Optional.ofNullable(status.getState())
                .map(ContainerState::getWaiting)
                .filter(waiting -> !HEALTHY.contains(Objects.toString(waiting.getReason(), "")))
                .filter(waiting -> !Objects.toString(waiting.getMessage(), "").startsWith(BUSY));
    }

    /** How the current run ended or, while the container restarts, how the previous run ended. */
    private static Optional<ContainerStateTerminated> ended(ContainerStatus status) {
        return Stream.of(status.getState(), status.getLastState())
                .filter(Objects::nonNull)
                .map(ContainerState::getTerminated)
                .filter(Objects::nonNull)
                .filter(ended -> ended.getExitCode() != 0)
                .findFirst();
    }

    private static int times(ContainerStatus status) {
        int again = Objects.requireNonNullElse(status.getRestartCount(), 0);
        boolean now = status.getState() != null && status.getState().getTerminated() != null;
        return now ? again + 1 : Math.max(1, again);
    }

    private static Optional<Quantity> limit(Pod pod, ContainerStatus status) {
        return container(pod, status)
                .map(Container::getResources)
                .map(resources -> resources.getLimits())
                .map(limits -> limits.get("memory"));
    }

    /** The image as the pod spec names it; in the status the kubelet replaces it with a digest. */
    private static String image(Pod pod, ContainerStatus status) {
        return container(pod, status).map(Container::getImage).orElse(status.getImage());
    }

    private static Optional<Container> container(Pod pod, ContainerStatus status) {
        return pod.getSpec().getContainers().stream()
                .filter(container -> container.getName().equals(status.getName()))
                .findFirst();
    }
}
