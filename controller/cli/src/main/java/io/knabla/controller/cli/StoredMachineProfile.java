package io.knabla.controller.cli;

import io.knabla.controller.machine.GpuProfile;
import io.knabla.controller.machine.Host;
import io.knabla.controller.machine.MachineProfile;
import io.knabla.functions.compiler.analyze.Machine;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the speed of this machine as measured by a platform with the same home folder. */
public final class StoredMachineProfile {
    private StoredMachineProfile() {}

    /** The measurement with the fewest threads, because a replica without a CPU request runs with one. */
    public static Optional<Machine> read(Settings settings) {
        return profile(settings).fewestThreads();
    }

    /** This machine's GPU, if it was measured. */
    public static Optional<GpuProfile> device(Settings settings) {
        return profile(settings).device();
    }

    private static MachineProfile profile(Settings settings) {
        Optional<Path> replica = settings.find("replica_home").map(Path::of);
        Path file = settings.home().resolve("calibration.json");
        return MachineProfile.read(file, Host.here(replica));
    }
}
