package io.knabla.controller.cli;

import io.knabla.controller.calibration.Calibrations;
import io.knabla.controller.calibration.Host;
import io.knabla.functions.analyze.Machine;
import java.nio.file.Path;
import java.util.Optional;

/** What a platform of the same home measured of this machine. */
public final class MeasuredHost {
    private MeasuredHost() {}

    /** With the fewest threads that it was measured with: a replica that asks for no CPUs has one. */
    public static Optional<Machine> of(Settings settings) {
        Optional<Path> replica = settings.find("replica_home").map(Path::of);
        Path file = settings.home().resolve("calibration.json");
        return Calibrations.read(file, Host.here(replica)).fewestThreads();
    }
}
