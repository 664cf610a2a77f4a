package io.knabla.runtime;

import io.knabla.runtime.calibrate.Calibration;
import java.util.Map;

/** Runs the {@code calibrate} mode: benchmarks this machine and reports the result. Needs no unit and no store. */
final class Calibrate {
    private Calibrate() {}

    static int run(Map<String, String> environment) {
        try {
            int threads = Integer.parseInt(environment.getOrDefault("KNABLA_THREADS", "1"));
            Events.calibrated(Calibration.measure(threads));
            return 0;
        } catch (RuntimeException failed) {
            return Main.ended(failed);
        }
    }
}
