package io.knabla.controller.knative.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuResourceTest {
    @ParameterizedTest
    @CsvSource({
        "nvidia.com/gpu, true, false",
        "nvidia.com/gpu.shared, true, false",
        "nvidia.com/mig-1g.10gb, true, true",
        "nvidia.com/mig-7g.141gb, true, true",
        "nvidia.com/gpumem, false, false",
        "nvidia.com/mig-8g.10gb, false, false",
        "amd.com/gpu, false, false",
        "cpu, false, false",
    })
    void knowsWhatNvidiasDevicePluginOffers(String resource, boolean gpu, boolean mig) {
        assertThat(GpuResource.isGpu(resource)).isEqualTo(gpu);
        assertThat(GpuResource.isMig(resource)).isEqualTo(mig);
    }

    @Test
    void aPartCountsAsItsShareOfTheCompute() {
        Map<String, BigDecimal> offered = Map.of(
                "nvidia.com/gpu", BigDecimal.TWO,
                "nvidia.com/mig-3g.40gb", BigDecimal.ONE,
                "cpu", BigDecimal.TEN);

        assertThat(GpuResource.gpus(offered)).isEqualByComparingTo("2.428571");
    }
}
