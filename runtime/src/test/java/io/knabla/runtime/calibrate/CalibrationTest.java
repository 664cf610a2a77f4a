package io.knabla.runtime.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CalibrationTest {
    /** Bounds that every machine of the last and the next ten years keeps. */
    @Test
    void measuresWhatAMachineCanDo() {
        Calibration here = Calibration.measure(1);

        assertThat(here.threads()).isEqualTo(1);
        assertThat(here.flops()).isBetween(1e8, 1e13);
        assertThat(here.bytesPerSecond()).isBetween(1e8, 1e13);
    }
}
