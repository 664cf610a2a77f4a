package io.knabla.controller.knative.jobs;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.knabla.controller.platform.engine.EngineOutput;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner.Limits;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** State of the pod of an engine run. Pure. */
sealed interface JobPod {
    /**
     * The container has not started yet.
     *
     * @param trouble what prevents the start so far, if anything
     */
    record Waiting(Optional<String> trouble) implements JobPod {}

    record Running() implements JobPod {}

    /** The container will not start, or was terminated from outside: the model is not judged. */
    record Stuck(String why) implements JobPod {}

    /** The container ended by itself. */
    record Done(ContainerStateTerminated end) implements JobPod {}

    /** Reasons that waiting does not resolve; a missing Secret or node may still appear. */
    Set<String> HOPELESS = Set.of("ErrImageNeverPull", "ImagePullBackOff", "InvalidImageName", "CreateContainerError");

    String OUT_OF_MEMORY = "OOMKilled";

    /** SIGKILL and SIGTERM. */
    Set<Integer> SIGNALLED = Set.of(137, 143);

    static JobPod of(Pod pod) {
        PodStatus status = Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
        Optional<ContainerState> state =
                status.getContainerStatuses().stream().findFirst().map(ContainerStatus::getState);
        Optional<ContainerStateTerminated> end = state.map(ContainerState::getTerminated);
        if (end.isPresent()) {
            return wasEnded(pod, end.get())
                    ? new Stuck(
                            "it was terminated from outside, for example by a node drain or by preemption (exit code %d)"
                                    .formatted(end.get().getExitCode()))
                    : new Done(end.get());
        }
        if ("Failed".equals(status.getPhase())) {
            return new Stuck(said(status.getReason(), status.getMessage()));
        }
        if (state.map(ContainerState::getRunning).isPresent()) {
            return new Running();
        }
        return state.map(ContainerState::getWaiting)
                .filter(waiting -> HOPELESS.contains(waiting.getReason()))
                .<JobPod>map(waiting -> new Stuck(said(waiting.getReason(), waiting.getMessage())))
                .orElseGet(() -> new Waiting(trouble(status, state)));
    }

    /** @param log output of the container, read only if needed */
    static EngineResult judge(ContainerStateTerminated end, Limits limits, Supplier<String> log) {
        if (OUT_OF_MEMORY.equals(end.getReason())) {
            return new EngineResult.TooLarge(limits.memoryBytes(), limits.memory());
        }
        String text = log.get();
        // A log has both streams; lines that are no events may explain a crash.
        return EngineOutput.parse(end.getExitCode(), text, text);
    }

    /** Whether the container was killed by a signal, but not for its memory, or its pod was deleted. */
    private static boolean wasEnded(Pod pod, ContainerStateTerminated end) {
        return SIGNALLED.contains(end.getExitCode()) && !OUT_OF_MEMORY.equals(end.getReason())
                || pod.getMetadata().getDeletionTimestamp() != null && end.getExitCode() != 0;
    }

    private static Optional<String> trouble(PodStatus status, Optional<ContainerState> state) {
        Stream<Optional<String>> words = Stream.of(
                state.map(ContainerState::getWaiting)
                        .filter(it -> !"ContainerCreating".equals(it.getReason()))
                        .map(it -> said(it.getReason(), it.getMessage())),
                status.getConditions().stream()
                        .filter(JobPod::isUnscheduled)
                        .findFirst()
                        .map(it -> said(it.getReason(), it.getMessage())));
        return words.flatMap(Optional::stream).findFirst();
    }

    private static boolean isUnscheduled(PodCondition condition) {
        return condition.getType().equals("PodScheduled")
                && condition.getStatus().equals("False");
    }

    private static String said(String reason, String message) {
        return Stream.of(reason, message)
                .filter(word -> word != null && !word.isBlank())
                .map(String::strip)
                .reduce((one, other) -> one + ": " + other)
                .orElse("it gave no reason");
    }
}
