package io.knabla.controller.benchmark;

import io.knabla.controller.config.Settings;
import io.knabla.controller.home.Home;
import io.knabla.controller.local.ReplicaProgramFolder;
import io.knabla.controller.machine.GpuProfile;
import io.knabla.controller.machine.Host;
import io.knabla.controller.machine.MachineProfile;
import io.knabla.controller.machine.MachineProfile.Measurement;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.ReplicaProgram;
import io.knabla.functions.compiler.analyze.Machine;
import io.knabla.functions.spec.FunctionSpec.Pool;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Measures the speed of this host, and of its GPU, on first demand and keeps the result in a file. Callers never wait:
 * they get assumed numbers until the measurement is done. It runs after a delay and only while no replica starts,
 * because both would slow each other down.
 */
@Singleton
public final class MachineBenchmark {
    private static final System.Logger LOG = System.getLogger(MachineBenchmark.class.getName());
    private static final Duration QUIET = Duration.ofSeconds(10);

    private final Path file;
    private final Host host;
    private final IntFunction<EngineResult> program;
    private final Supplier<Optional<EngineResult>> gpuProgram;
    private final BooleanSupplier busy;
    private final Duration quiet;
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("calibrate").factory());

    private final Set<Integer> asked = new HashSet<>();
    private boolean askedForGpu;
    private MachineProfile known;

    @Inject
    MachineBenchmark(Home home, ReplicaProgram replica, ClusterView cluster, Settings settings) {
        this(
                home.machineProfile(),
                Host.here(Optional.of(ReplicaProgramFolder.of(settings))),
                replica::benchmark,
                () -> cluster.canHave(Pool.gpu) ? replica.benchmarkGpu() : Optional.empty(),
                () -> starting(cluster),
                QUIET);
    }

    /** @param gpuProgram empty if there is no GPU */
    MachineBenchmark(
            Path file,
            Host host,
            IntFunction<EngineResult> program,
            Supplier<Optional<EngineResult>> gpuProgram,
            BooleanSupplier busy,
            Duration quiet) {
        this.file = file;
        this.host = host;
        this.program = program;
        this.gpuProgram = gpuProgram;
        this.busy = busy;
        this.quiet = quiet;
    }

    private static boolean starting(ClusterView cluster) {
        return cluster.replicas().stream().anyMatch(replica -> replica.state() == Replica.State.STARTING);
    }

    /**
     * The measured speed of this host, or assumed numbers if it is not measured yet.
     *
     * @param wanted threads of one run; capped at the number of cores
     */
    public synchronized Machine machine(long wanted) {
        int threads = Math.clamp(wanted, 1, host.cores());
        Optional<Machine> machine = known().machine(threads);
        if (machine.isEmpty() && asked.add(threads)) {
            later(() -> Optional.of(program.apply(threads)), threads);
        }
        device();
        return machine.orElse(Machine.ASSUMED);
    }

    /** The measured speed of this host's GPU; empty if there is none, or it is not measured yet. */
    public synchronized Optional<GpuProfile> device() {
        Optional<GpuProfile> device = known().device();
        if (device.isEmpty() && !askedForGpu) {
            askedForGpu = true;
            later(gpuProgram, 1);
        }
        return device;
    }

    private MachineProfile known() {
        if (known == null) {
            known = MachineProfile.read(file, host);
        }
        return known;
    }

    private void later(Supplier<Optional<EngineResult>> run, int threads) {
        try {
            worker.schedule(() -> measure(run, threads), quiet.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopping) {
            LOG.log(System.Logger.Level.TRACE, "no measurement during shutdown");
        }
    }

    /** Runs once for each number of threads, and for the GPU, in a process: a failure would repeat. */
    private void measure(Supplier<Optional<EngineResult>> run, int threads) {
        if (busy.getAsBoolean()) {
            later(run, threads);
            return;
        }
        try {
            Optional<EngineResult> ended = run.get();
            if (ended.isPresent()) {
                keep(ended.get(), threads);
            }
        } catch (IOException | RuntimeException failed) {
            LOG.log(System.Logger.Level.WARNING, "cannot measure this host, or write the result to " + file, failed);
        }
    }

    private void keep(EngineResult ended, int threads) throws IOException {
        switch (ended) {
            case EngineResult.Measured(var flops, var bytesPerSecond) ->
                keep(known -> known.with(new Measurement(threads, flops, bytesPerSecond)));
            case EngineResult.MeasuredGpu(var device, var failures) -> {
                failures.forEach((figure, why) -> LOG.log(
                        System.Logger.Level.WARNING,
                        "{0} of {1} could not be measured and stays assumed: {2}",
                        figure,
                        device.name(),
                        why));
                keep(known -> known.with(device));
            }
            case EngineResult.Passed _,
                    EngineResult.Ranges _,
                    EngineResult.Refused _,
                    EngineResult.Crashed _,
                    EngineResult.TooSlow _,
                    EngineResult.TooLarge _,
                    EngineResult.Unavailable _,
                    EngineResult.NotRun _ ->
                LOG.log(
                        System.Logger.Level.WARNING,
                        "cannot measure the speed of this host, predictions use assumed numbers: {0}",
                        ended);
        }
    }

    private void keep(UnaryOperator<MachineProfile> change) throws IOException {
        MachineProfile now;
        synchronized (this) {
            known = change.apply(known);
            now = known;
        }
        now.write(file);
    }

    @PreDestroy
    void close() {
        worker.shutdownNow();
    }
}
