package io.knabla.controller.knative.interruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.knabla.controller.knative.resource.Labels;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GpuLossesTest {
    private static final ContainerState RUNS =
            new ContainerStateBuilder().withNewRunning().endRunning().build();

    private final List<String> events = new ArrayList<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private boolean leads = true;
    private final GpuLosses losses = new GpuLosses(
            (function, reason, message) -> events.add("%s %s %s".formatted(function, reason, message)),
            () -> leads,
            meters);

    private static ContainerState ended(String container, int exit) {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withContainerID(container)
                .withExitCode(exit)
                .withMessage("replica failed: the GPU was lost: gone (CUDA error 719)")
                .endTerminated()
                .build();
    }

    private static Pod pod(ContainerState now, ContainerState last) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("digits-1")
                .addToLabels(Labels.FUNCTION, "digits")
                .endMetadata()
                .withNewSpec()
                .withNodeName("gpu-node")
                .endSpec()
                .withNewStatus()
                .addNewContainerStatus()
                .withState(now)
                .withLastState(last)
                .endContainerStatus()
                .endStatus()
                .build();
    }

    private double count() {
        return meters.counter("knabla.gpu.lost", "reason", "CudaError719").count();
    }

    @Test
    void eachLossIsToldOnceWithItsNode() {
        Pod healthy = pod(RUNS, null);
        Pod lost = pod(ended("a", 6), null);
        Pod restarted = pod(RUNS, ended("a", 6));

        losses.onUpdate(healthy, lost);
        losses.onUpdate(lost, restarted);
        losses.onUpdate(restarted, restarted);

        assertThat(count()).isEqualTo(1);
        assertThat(events)
                .singleElement()
                .asString()
                .startsWith("shop/digits GpuLost replica digits-1 lost the GPU of node gpu-node (CudaError719)");

        losses.onUpdate(restarted, pod(RUNS, ended("b", 6)));
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void theDriversErrorComesBeforeThatOfCuda() {
        ContainerState ended = ended("a", 6);
        ended.getTerminated().setMessage("""
                        {"event":"gpu-xid","gpu":0,"xid":79,"kind":"Device","meaning":"the GPU has fallen off the bus"}
                        {"event":"gpu-xid","gpu":0,"xid":45,"kind":"Application","meaning":"a cleanup"}
                        """ + ended.getTerminated().getMessage());

        losses.onUpdate(pod(RUNS, null), pod(ended, null));

        assertThat(meters.counter("knabla.gpu.lost", "reason", "Xid79").count()).isEqualTo(1);
        assertThat(events)
                .singleElement()
                .asString()
                .contains("the GPU of node gpu-node (Xid79: the GPU has fallen off the bus)");
    }

    @Test
    void otherEndsAreNoLosses() {
        losses.onUpdate(pod(RUNS, null), pod(RUNS, ended("a", 3)));

        assertThat(events).isEmpty();
        assertThat(count()).isZero();
    }

    @Test
    void onlyTheLeaderWritesTheEvent() {
        leads = false;

        losses.onUpdate(pod(RUNS, null), pod(RUNS, ended("a", 6)));

        assertThat(events).isEmpty();
        assertThat(count()).isEqualTo(1);
    }
}
