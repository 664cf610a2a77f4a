package io.knabla.controller.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalGpuTest {
    private static final Map<String, String> NAMED =
            Map.of("KNABLA_CUDA_HOME", "/opt/cuda", "CUDA_VISIBLE_DEVICES", "1", "AWS_SECRET_ACCESS_KEY", "hidden");

    @Test
    void aNamedFolderMakesANodeForTheGpu() {
        assertThat(LocalGpu.joined(LocalNodes.of(List.of(), 2), NAMED))
                .hasSize(5)
                .last()
                .extracting(Node::pool)
                .isEqualTo(Pool.gpu);
    }

    @Test
    void onlyFunctionsOnGpusGetItsVariables() {
        assertThat(LocalGpu.environment(Pool.cpu, 4, NAMED)).isEmpty();
        assertThat(LocalGpu.environment(Pool.gpu, 1, NAMED))
                .isEqualTo(
                        Map.of("KNABLA_DEVICE", "cuda", "KNABLA_CUDA_HOME", "/opt/cuda", "CUDA_VISIBLE_DEVICES", "1"));
    }

    @Test
    void waitingProcessNeedsAFreeSlotOfAGpu() {
        var cpu = new Node("cpu-a", Pool.cpu, CapacityType.OnDemand, "local", "local-a", 9);
        var gpu = new Node("gpu-a", Pool.gpu, CapacityType.OnDemand, "local", "local-a", 2);

        assertThat(LocalGpu.hasFreeSlot(List.of(cpu, gpu), List.of("cpu-a", "cpu-a", "gpu-a")))
                .isTrue();
        assertThat(LocalGpu.hasFreeSlot(List.of(cpu, gpu), List.of("gpu-a", "gpu-a")))
                .isFalse();
        assertThat(LocalGpu.hasFreeSlot(List.of(cpu), List.of())).isFalse();
    }

    @Test
    void waitingProcessLearnsItsShareWithItsFunction() {
        assertThat(LocalGpu.ofMember(Pool.gpu, NAMED)).isEqualTo(LocalGpu.environment(Pool.gpu, 1, NAMED));
        assertThat(LocalGpu.ofMember(Pool.cpu, NAMED)).isEmpty();
    }
}
