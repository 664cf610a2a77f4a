package io.knabla.controller.benchmark;

import io.knabla.controller.config.Settings;
import io.knabla.controller.home.Home;
import io.knabla.controller.local.ReplicaProgramFolder;
import io.knabla.controller.machine.Host;
import io.knabla.controller.machine.MachineProfile;
import io.knabla.controller.machine.MachineProfile.Measurement;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.ReplicaProgram;
import io.knabla.functions.compiler.analyze.Machine;
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

/**
 * Measures the speed of this host on first demand and keeps the result in a file. Callers never wait: they get assumed
 * numbers until the measurement is done. It runs after a delay and only while no replica starts, because both would
 * slow each other down.
 */
@Singleton
public final class MachineBenchmark {
    private static final System.Logger LOG = System.getLogger(MachineBenchmark.class.getName());
    private static final Duration QUIET = Duration.ofSeconds(10);

    private final Path file;
    private final Host host;
    private final IntFunction<EngineResult> program;
    private final BooleanSupplier busy;
    private final Duration quiet;
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("calibrate").factory());

    private final Set<Integer> asked = new HashSet<>();
    private MachineProfile known;

    @Inject
    MachineBenchmark(Home home, ReplicaProgram replica, ClusterView cluster, Settings settings) {
        this(
                home.machineProfile(),
                Host.here(Optional.of(ReplicaProgramFolder.of(settings))),
                replica::benchmark,
                () -> starting(cluster),
                QUIET);
    }

    MachineBenchmark(Path file, Host host, IntFunction<EngineResult> program, BooleanSupplier busy, Duration quiet) {
        this.file = file;
        this.host = host;
        this.program = program;
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
        if (known == null) {
            known = MachineProfile.read(file, host);
        }
        int threads = Math.clamp(wanted, 1, host.cores());
        Optional<Machine> machine = known.machine(threads);
        if (machine.isEmpty() && asked.add(threads)) {
            later(threads);
        }
        return machine.orElse(Machine.ASSUMED);
    }

    private void later(int threads) {
        try {
            worker.schedule(() -> measure(threads), quiet.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopping) {
            LOG.log(System.Logger.Level.TRACE, "no measurement during shutdown");
        }
    }

    /** Runs once for each number of threads in a process: a failure would repeat. */
    private void measure(int threads) {
        if (busy.getAsBoolean()) {
            later(threads);
            return;
        }
        try {
            EngineResult ended = program.apply(threads);
            if (ended instanceof EngineResult.Measured(var flops, var bytesPerSecond)) {
                keep(new Measurement(threads, flops, bytesPerSecond));
            } else {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "cannot measure the speed of this host, predictions use assumed numbers: {0}",
                        ended);
            }
        } catch (IOException | RuntimeException failed) {
            LOG.log(System.Logger.Level.WARNING, "cannot measure this host, or write the result to " + file, failed);
        }
    }

    private void keep(Measurement measured) throws IOException {
        MachineProfile now;
        synchronized (this) {
            known = known.with(measured);
            now = known;
        }
        now.write(file);
    }

    @PreDestroy
    void close() {
        worker.shutdownNow();
    }
}
