package io.knabla.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DeviceMemoryLimitTest {
    private static final long GIB = 1L << 30;

    private static OptionalLong limit(DeviceMemoryLimit limit, long device) {
        return limit.bytes(() -> Optional.of(new DeviceMemory(device, 0)));
    }

    @Test
    void aShareIsAPartOfTheDeviceLessWhatCudaTakes() {
        assertThat(limit(new DeviceMemoryLimit.Share(4), 16 * GIB)).hasValue(4 * GIB - (600L << 20));
        assertThat(limit(new DeviceMemoryLimit.Share(2), 16 * GIB)).hasValue(8 * GIB - (600L << 20));
    }

    @Test
    void aShareThatLeavesNothingIsRefused() {
        assertThatThrownBy(() -> limit(new DeviceMemoryLimit.Share(8), 4 * GIB))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("1/8 of this GPU's 4,096 MiB")
                .hasMessageContaining("ask for a larger share in resources.gpu");
    }

    @Test
    void otherBudgetsDoNotAskTheDevice() {
        assertThat(DeviceMemoryLimit.ALL.bytes(() -> {
                    throw new AssertionError("asked");
                }))
                .isEmpty();
        assertThat(new DeviceMemoryLimit.Fixed(7).bytes(() -> {
                    throw new AssertionError("asked");
                }))
                .hasValue(7);
    }

    @Test
    void aDeviceThatTellsNothingSetsNoLimit() {
        assertThat(new DeviceMemoryLimit.Share(4).bytes(Optional::empty)).isEmpty();
    }
}
