package io.knabla.controller.cli;

import io.knabla.controller.calibration.Calibrations;
import io.knabla.controller.calibration.Host;
import io.knabla.functions.analyze.Machine;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the speed of this machine as measured by a platform with the same home folder. */
public final class MeasuredHost {
    private MeasuredHost() {}

    /** The measurement with the fewest threads, because a replica without a CPU request runs with one. */
    public static Optional<Machine> of(Settings settings) {
        Optional<Path> replica = settings.find("replica_home").map(Path::of);
        Path file = settings.home().resolve("calibration.json");
        return Calibrations.read(file, Host.here(replica)).fewestThreads();
    }
}
