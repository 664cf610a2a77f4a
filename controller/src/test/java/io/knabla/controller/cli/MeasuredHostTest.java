package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.Home;
import io.knabla.controller.calibration.Calibrations;
import io.knabla.controller.calibration.Calibrations.Measured;
import io.knabla.controller.calibration.Host;
import io.knabla.functions.analyze.Machine;
import io.knabla.functions.analyze.Machine.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredHostTest {
    @TempDir
    Path home;

    @Test
    void readsMeasurementFromSameHome() throws IOException {
        Settings settings = Settings.of(Map.of("KNABLA_HOME", home.toString()));
        assertThat(MeasuredHost.of(settings)).isEmpty();

        Path file = new Home(home).calibration();
        Calibrations.read(file, Host.here(Optional.empty()))
                .with(new Measured(2, 2e11, 3e10))
                .with(new Measured(1, 1e11, 2e10))
                .write(file);

        assertThat(MeasuredHost.of(settings)).hasValue(new Machine(1, 1e11, 2e10, Source.measured));
    }
}
