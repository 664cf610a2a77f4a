package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.home.Home;
import io.knabla.controller.machine.Host;
import io.knabla.controller.machine.MachineProfile;
import io.knabla.controller.machine.MachineProfile.Measurement;
import io.knabla.functions.compiler.analyze.Machine;
import io.knabla.functions.compiler.analyze.Machine.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredMachineProfileTest {
    @TempDir
    Path home;

    @Test
    void readsMeasurementFromSameHome() throws IOException {
        Settings settings = Settings.of(Map.of("KNABLA_HOME", home.toString()));
        assertThat(StoredMachineProfile.read(settings)).isEmpty();

        Path file = new Home(home).machineProfile();
        MachineProfile.read(file, Host.here(Optional.empty()))
                .with(new Measurement(2, 2e11, 3e10))
                .with(new Measurement(1, 1e11, 2e10))
                .write(file);

        assertThat(StoredMachineProfile.read(settings)).hasValue(new Machine(1, 1e11, 2e10, Source.measured));
    }
}
