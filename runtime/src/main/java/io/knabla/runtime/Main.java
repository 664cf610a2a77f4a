package io.knabla.runtime;

import io.knabla.runtime.modes.AotTraining;
import io.knabla.runtime.modes.Benchmark;
import io.knabla.runtime.modes.Check;
import io.knabla.runtime.modes.ExitCode;
import io.knabla.runtime.modes.Failures;
import io.knabla.runtime.modes.GpuReport;
import io.knabla.runtime.modes.Optimize;
import io.knabla.runtime.modes.Pooled;
import io.knabla.runtime.modes.QuantizeRanges;
import io.knabla.runtime.modes.Serve;
import io.knabla.runtime.modes.Settings;
import io.knabla.runtime.modes.StdinWatch;
import io.knabla.runtime.pool.PoolSettings;
import io.knabla.runtime.pool.WakePool;
import java.io.IOException;
import java.util.List;

/**
 * Starts a replica process. Without an argument it serves its unit; with one it runs that mode and exits: {@code check}
 * tries the unit, {@code optimize} stores an optimised copy of it, {@code calibrate} benchmarks the machine,
 * {@code quantize-ranges} measures the activations of a model on samples, {@code gpu} tells whether this machine can
 * compute on a GPU. As {@code pooled} it waits for the name of the unit that it serves; as {@code pool} it answers for
 * all functions of a namespace that have no pods. The build alone uses {@code aot-training}.
 */
public final class Main {
    private static final List<String> MODES =
            List.of("", "check", "optimize", "calibrate", "quantize-ranges", "gpu", "pooled", "pool", "aot-training");

    private Main() {}

    public static void main(String[] arguments) {
        long start = System.nanoTime();
        String mode = String.join(" ", arguments);
        if (!MODES.contains(mode)) {
            System.err.println(
                    "usage: java @replica.args [check|optimize|calibrate|quantize-ranges|gpu|pooled|pool]; all settings come from the environment");
            exit(ExitCode.WRONG_USE);
        }
        try {
            if (mode.equals("calibrate")) {
                exit(Benchmark.run(System.getenv()));
            }
            if (mode.equals("gpu")) {
                exit(GpuReport.run(System.getenv()));
            }
            if (mode.equals("pooled")) {
                Pooled.run();
                return;
            }
            if (mode.equals("pool")) {
                WakePool.run(PoolSettings.parse(System.getenv()));
                return;
            }
            if (mode.equals("aot-training")) {
                AotTraining.run();
                return;
            }
            Settings settings = Settings.parse(System.getenv());
            if (settings.access().stdinWatch()) {
                StdinWatch.start();
            }
            switch (mode) {
                case "check" -> exit(Check.run(settings));
                case "optimize" -> exit(Optimize.run(settings));
                case "quantize-ranges" -> exit(QuantizeRanges.run(settings));
                default -> Serve.run(settings, start);
            }
        } catch (IOException | RuntimeException | LinkageError failed) {
            Failures.reportAndHalt(failed);
        }
    }

    private static void exit(ExitCode code) {
        System.exit(code.value());
    }
}
