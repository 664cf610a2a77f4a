package io.knabla.runtime.modes;

import io.knabla.runtime.benchmark.GpuCalibration;
import io.knabla.runtime.benchmark.MachineProfile;
import io.knabla.runtime.engine.CudaDevice;
import io.knabla.runtime.engine.Device;
import io.knabla.storage.settings.SettingsReader;
import java.util.Map;

/**
 * Runs the {@code calibrate} mode: benchmarks this machine, or the GPU that it was given, and reports the result. Needs
 * no unit and no store.
 */
public final class Benchmark {
    private Benchmark() {}

    public static ExitCode run(Map<String, String> environment) {
        try {
            var reader = SettingsReader.of(environment);
            int threads = Settings.threads(reader);
            Device device = Settings.device(reader);
            int divisor = reader.number("KNABLA_CALIBRATION_DIVISOR", 1, 1, 1024);
            reader.throwFaults("the settings of the benchmark are wrong");
            if (device instanceof CudaDevice gpu) {
                gpu.prepare();
                Events.calibrated(GpuCalibration.measure(gpu, GpuCalibration.Work.FULL.dividedBy(divisor)));
            } else {
                Events.calibrated(MachineProfile.measure(threads));
            }
            return ExitCode.DONE;
        } catch (RuntimeException failed) {
            return Failures.report(failed);
        }
    }
}
