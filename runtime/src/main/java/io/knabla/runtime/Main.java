package io.knabla.runtime;

import io.knabla.functions.unit.UnitException;
import io.knabla.runtime.modes.Benchmark;
import io.knabla.runtime.modes.Check;
import io.knabla.runtime.modes.Events;
import io.knabla.runtime.modes.LoadedUnit;
import io.knabla.runtime.modes.Optimize;
import io.knabla.runtime.modes.ProcessAge;
import io.knabla.runtime.modes.QuantizeRanges;
import io.knabla.runtime.modes.Settings;
import io.knabla.runtime.serve.Replica;
import io.knabla.runtime.serve.ReplicaSettings;
import io.knabla.runtime.serve.StartPhases;
import io.knabla.storage.StorageException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Starts a replica process. Without an argument it serves its unit; with one it runs that mode and exits: {@code check}
 * tries the unit, {@code optimize} stores an optimised copy of it, {@code calibrate} benchmarks the machine,
 * {@code quantize-ranges} measures the activations of a model on samples.
 */
public final class Main {
    static final int FAILED = 3;
    public static final int REFUSED = 4;
    static final int UNAVAILABLE = 5;
    private static final int WRONG_USE = 2;
    private static final List<String> MODES = List.of("", "check", "optimize", "calibrate", "quantize-ranges");

    /** Carrier threads beyond those that engine runs block: health checks must answer while all runs are busy. */
    private static final int SPARE_CARRIERS = 2;

    private Main() {}

    public static void main(String[] arguments) {
        long start = System.nanoTime();
        String mode = String.join(" ", arguments);
        if (!MODES.contains(mode)) {
            System.err.println(
                    "usage: java @replica.args [check|optimize|calibrate|quantize-ranges]; all settings come from the environment");
            System.exit(WRONG_USE);
        }
        try {
            if (mode.equals("calibrate")) {
                System.exit(Benchmark.run(System.getenv()));
            }
            Settings settings = Settings.parse(System.getenv());
            if (settings.access().stdinWatch()) {
                watchStdin();
            }
            switch (mode) {
                case "check" -> System.exit(Check.run(settings));
                case "optimize" -> System.exit(Optimize.run(settings));
                case "quantize-ranges" -> System.exit(QuantizeRanges.run(settings));
                default -> serve(settings, start);
            }
        } catch (IOException | RuntimeException | LinkageError failed) {
            reportAndHalt(failed);
        }
    }

    /**
     * Reports the failure of a mode and returns its exit code: {@link #UNAVAILABLE} for a store failure, else
     * {@link #REFUSED}.
     */
    public static int reportFailure(RuntimeException failed) {
        return switch (failed) {
            case StorageException _, UnitException _, UncheckedIOException _ -> {
                Events.unavailable(failed.getMessage());
                yield UNAVAILABLE;
            }
            default -> {
                Events.refused(failed.getMessage());
                yield REFUSED;
            }
        };
    }

    /** Writes the error last: Kubernetes takes the termination message from the end of the log. */
    private static void reportAndHalt(Throwable failed) {
        Events.failed(failed.getMessage());
        System.err.println("replica failed: " + errorText(failed));
        Runtime.getRuntime().halt(FAILED);
    }

    /**
     * The exception's message, or {@code toString()} if the message is a single word: some JDK exceptions carry only a
     * path.
     */
    private static String errorText(Throwable failed) {
        String message = failed.getMessage();
        return message != null && message.contains(" ") ? message : failed.toString();
    }

    private static void serve(Settings settings, long start) throws IOException {
        // A run pins its carrier thread, because the engine is native code.
        System.setProperty(
                "jdk.virtualThreadScheduler.parallelism",
                Integer.toString(settings.engine().concurrency() + SPARE_CARRIERS));
        var replica = new Replica(new ReplicaSettings(
                settings.model().name(),
                settings.model().version(),
                settings.access().token(),
                settings.access().maxBodyBytes(),
                settings.engine().timeout()));
        var loading = new FutureTask<>(() -> load(settings, replica, start));
        Thread.ofPlatform().name("load").start(loading);
        int port = replica.listen(settings.address().host(), settings.address().port());
        // Registered before the port is reported: from then on a SIGTERM may arrive during a request.
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(replica::drain));
        Events.listening(port);
        try {
            LoadedUnit load = loading.get();
            Events.ready(bootMillis(start), load.fetchMillis(), load.loadMillis());
            // Blocks to keep the process alive: every other thread is a daemon.
            Thread.currentThread().join();
        } catch (ExecutionException failed) {
            reportAndHalt(failed.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private static LoadedUnit load(Settings settings, Replica replica, long start) {
        boolean knative = settings.address().knative();
        OptionalLong place = knative ? ProcessAge.placeMillis(settings.cache()) : OptionalLong.empty();
        LoadedUnit load = LoadedUnit.load(settings);
        if (knative) {
            var phases = new StartPhases(place, load.fetchMillis(), bootMillis(start), load.loadMillis());
            replica.serve(load.engine(), load.manifest(), phases);
        } else {
            replica.serve(load.engine(), load.manifest());
        }
        return load;
    }

    /** Milliseconds from process start to {@code main}; 0 if unknown. */
    private static long bootMillis(long start) {
        long sinceMain = LoadedUnit.millis(System.nanoTime() - start);
        return Math.max(0, ProcessAge.ageMillis().orElse(0) - sinceMain);
    }

    /** Ends this process when standard input closes, as it does even when the controller is killed. */
    private static void watchStdin() {
        Thread.ofPlatform().daemon().name("stdin").start(() -> {
            try (var in = new FileInputStream(FileDescriptor.in)) {
                while (in.read() >= 0) {
                    Thread.onSpinWait();
                }
            } catch (IOException broken) {
                // Treated as closed.
            }
            Runtime.getRuntime().halt(0);
        });
    }
}
