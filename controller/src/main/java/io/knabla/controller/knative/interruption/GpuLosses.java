package io.knabla.controller.knative.interruption;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.knabla.controller.knative.WorkloadLabels;
import io.knabla.controller.platform.FunctionEvents;
import io.knabla.controller.platform.GpuError;
import io.knabla.controller.platform.GpuLossReason;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Counts containers that end because their GPU was lost, in the metric {@code knabla.gpu.lost}, and writes an event of
 * the Function that names the node.
 *
 * @param leads whether this controller writes events
 */
record GpuLosses(FunctionEvents events, BooleanSupplier leads, MeterRegistry meters)
        implements ResourceEventHandler<Pod> {
    /** What is there at the start was told before. */
    @Override
    public void onAdd(Pod pod) {}

    @Override
    public void onUpdate(Pod before, Pod pod) {
        List<ContainerStateTerminated> known = losses(before).toList();
        losses(pod).filter(loss -> !known.contains(loss)).distinct().forEach(loss -> tell(pod, loss));
    }

    @Override
    public void onDelete(Pod pod, boolean unseen) {}

    private void tell(Pod pod, ContainerStateTerminated loss) {
        String output = Objects.toString(loss.getMessage(), "");
        Optional<GpuError> error = GpuError.lostDevice(output);
        GpuLossReason reason = GpuLossReason.of(error, output);
        meters.counter("knabla.gpu.lost", "reason", reason.name()).increment();
        if (leads.getAsBoolean()) {
            String message =
                    "replica %s lost the GPU of node %s (%s%s), and starts again; if that is repeated, look at the node with nvidia-smi, or take it out with kubectl drain"
                            .formatted(
                                    pod.getMetadata().getName(),
                                    pod.getSpec().getNodeName(),
                                    reason,
                                    error.map(one -> ": " + one.meaning()).orElse(""));
            WorkloadLabels.function(pod).ifPresent(function -> events.warn(function, "GpuLost", message));
        }
    }

    /** Terminations that the pod's status still has. */
    private static Stream<ContainerStateTerminated> losses(Pod pod) {
        return Stream.ofNullable(pod.getStatus())
                .map(PodStatus::getContainerStatuses)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .flatMap(GpuLosses::states)
                .map(ContainerState::getTerminated)
                .filter(Objects::nonNull)
                .filter(ended -> Objects.equals(ended.getExitCode(), GpuLossReason.EXIT_CODE));
    }

    /** A termination moves from the first to the second when the container starts again. */
    private static Stream<ContainerState> states(ContainerStatus status) {
        return Stream.of(Optional.ofNullable(status.getState()), Optional.ofNullable(status.getLastState()))
                .flatMap(Optional::stream);
    }
}
