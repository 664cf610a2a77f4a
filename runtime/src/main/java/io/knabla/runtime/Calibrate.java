package io.knabla.runtime;

import io.knabla.runtime.calibrate.Calibration;
import java.util.Map;

/** Measures this machine; needs no unit and no store. */
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
