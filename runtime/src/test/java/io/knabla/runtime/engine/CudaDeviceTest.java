package io.knabla.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CudaDeviceTest {
    private static CudaDevice device(DeviceMemoryLimit limit) {
        return new CudaDevice(1, limit, CudaLibraries.of(Map.of("KNABLA_CUDA_HOME", "/nowhere")));
    }

    @Test
    void gradientsComputeWithAllDigits() {
        assertThat(device(DeviceMemoryLimit.ALL).providerOptions(true)).containsEntry("use_tf32", "0");
        assertThat(device(DeviceMemoryLimit.ALL).providerOptions(false)).doesNotContainKey("use_tf32");
    }

    /** A replayed graph would answer old bytes. */
    @Test
    void neverReplaysGraphs() {
        assertThat(device(new DeviceMemoryLimit.Fixed(1)).providerOptions(true))
                .doesNotContainKey("enable_cuda_graph")
                .containsEntry("device_id", "1")
                .containsEntry("gpu_mem_limit", "1")
                .containsEntry("arena_extend_strategy", "kSameAsRequested");
    }

    @Test
    void runsOneAtATime() {
        EngineSettings four = EngineSettings.DEFAULTS;
        var onGpu = new EngineSettings(
                four.concurrency(),
                four.queue(),
                four.timeout(),
                four.batchMaxSize(),
                four.batchMaxDelay(),
                four.threads(),
                device(DeviceMemoryLimit.ALL));

        assertThat(onGpu.asDeviceAllows().concurrency()).isEqualTo(1);
        assertThat(four.asDeviceAllows()).isSameAs(four);
    }
}
