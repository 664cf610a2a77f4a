package io.knabla.runtime.modes;

import io.knabla.runtime.engine.CudaDevice;
import io.knabla.runtime.engine.CudaLibraries;
import io.knabla.runtime.engine.CudaLibraries.Missing;
import io.knabla.runtime.engine.DeviceMemoryLimit;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs the {@code gpu} mode: tells what this machine lacks to compute on an NVIDIA GPU. Needs no unit and no store. */
public final class GpuReport {
    private GpuReport() {}

    /** @param environment {@code KNABLA_CUDA_HOME}, and the system's variables by which libraries are found */
    public static ExitCode run(Map<String, String> environment) {
        var libraries = CudaLibraries.of(environment);
        List<Missing> missing = libraries.open();
        boolean all = missing.stream().noneMatch(one -> one.library().isRequired());
        // Without a library the device cannot even be asked.
        Optional<String> trouble =
                all ? new CudaDevice(0, DeviceMemoryLimit.ALL, libraries).trouble() : Optional.empty();
        Path home = libraries.home();
        Events.gpu(home, missing, trouble);
        return all && trouble.isEmpty() ? ExitCode.DONE : ExitCode.REFUSED;
    }
}
