package io.knabla.runtime.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineProfileTest {
    /** Wide bounds that any machine of the last and next ten years meets. */
    @Test
    void measuresPlausibleValues() {
        MachineProfile here = MachineProfile.measure(1);

        assertThat(here.threads()).isEqualTo(1);
        assertThat(here.flops()).isBetween(1e8, 1e13);
        assertThat(here.bytesPerSecond()).isBetween(1e8, 1e13);
    }
}
