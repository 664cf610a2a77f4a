package io.knabla.runtime.modes;

import io.knabla.runtime.benchmark.MachineProfile;
import java.util.Map;

/** Runs the {@code calibrate} mode: benchmarks this machine and reports the result. Needs no unit and no store. */
public final class Benchmark {
    private Benchmark() {}

    public static ExitCode run(Map<String, String> environment) {
        try {
            int threads = Integer.parseInt(environment.getOrDefault("KNABLA_THREADS", "1"));
            Events.calibrated(MachineProfile.measure(threads));
            return ExitCode.DONE;
        } catch (RuntimeException failed) {
            return Failures.report(failed);
        }
    }
}
