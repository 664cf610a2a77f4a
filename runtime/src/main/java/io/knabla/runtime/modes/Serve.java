package io.knabla.runtime.modes;

import io.knabla.runtime.serve.Replica;
import io.knabla.runtime.serve.ReplicaSettings;
import io.knabla.runtime.serve.StartPhases;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Serves a unit over HTTP until the process is stopped: listens at once and loads the unit meanwhile. */
public final class Serve {
    private Serve() {}

    /** @param start {@link System#nanoTime()} at the start of {@code main} */
    public static void run(Settings settings, long start) throws IOException {
        Carriers.prepare(settings.engine().concurrency());
        serve(settings, start, false);
    }

    /**
     * Serves in a process that has served before.
     *
     * @param start {@link System#nanoTime()} when the unit was assigned
     */
    static void runWarmed(Settings settings, long start) throws IOException {
        Carriers.resize(settings.engine().concurrency());
        serve(settings, start, true);
    }

    static ReplicaSettings replicaSettings(Settings settings) {
        var usual = ReplicaSettings.of(
                settings.model().name(),
                settings.model().version(),
                settings.access().token(),
                settings.access().maxBodyBytes(),
                settings.engine().timeout());
        return settings.access().sharedMemory() ? usual.withSharedMemory() : usual;
    }

    /** @param warmed whether the process was started ahead of need, so that its boot is no part of this start */
    private static void serve(Settings settings, long start, boolean warmed) throws IOException {
        var replica = Protocols.replica(replicaSettings(settings));
        var loading = new FutureTask<>(() -> load(settings, replica, start));
        Thread.ofPlatform().name("load").start(loading);
        int port = replica.listen(settings.address().host(), settings.address().port());
        // Registered before the port is reported: from then on a SIGTERM may arrive during a request.
        var usage = new UsageReporter(replica::usage, settings.address().knative(), UsageReporter.TERMINATION_LOG);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> {
            replica.drain();
            usage.reportLast();
        }));
        Events.listening(port);
        try {
            LoadedUnit load = loading.get();
            boolean onCpu = settings.engine().device().isCpu();
            if (!onCpu) {
                DeviceLoss.watch(load, replica, usage);
                GpuWatch.start(load.graphs());
            }
            Events.ready(
                    warmed ? 0 : bootMillis(start),
                    load.fetchNanos(),
                    load.loadNanos(),
                    onCpu ? OptionalLong.empty() : OptionalLong.of(load.deviceNanos()));
            if (!settings.address().knative() && load.model().utilization().isPresent()) {
                UtilizationReporter.start(load.model());
            }
            // Does not return, which keeps the process alive: every other thread is a daemon.
            usage.reportRegularly();
        } catch (ExecutionException failed) {
            Failures.reportAndHalt(failed.getCause());
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
            replica.serve(load.model(), phases);
        } else {
            replica.serve(load.model());
        }
        return load;
    }

    /** Milliseconds from process start to {@code main}; 0 if unknown. */
    private static long bootMillis(long start) {
        long sinceMain = LoadedUnit.millis(System.nanoTime() - start);
        return Math.max(0, ProcessAge.ageMillis().orElse(0) - sinceMain);
    }
}
