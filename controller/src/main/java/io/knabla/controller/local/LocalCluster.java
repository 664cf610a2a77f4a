package io.knabla.controller.local;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.cost.record.UsageSource;
import io.knabla.controller.local.pool.PoolSize;
import io.knabla.controller.local.pool.PoolVariant;
import io.knabla.controller.local.pool.ReplicaPool;
import io.knabla.controller.local.usage.LocalUsage;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.ProcessMemory;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.GpuError;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.controller.platform.Workload;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.Resources;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.ObjIntConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Runs replicas as child processes of the controller. A replica ends with its controller, even if that is killed: it
 * watches the pipe on its standard input, and the next controller with the same home kills any replica that survived.
 */
public final class LocalCluster implements Cluster, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LocalCluster.class.getName());
    private static final long LOG_BYTES = 4L << 20;

    /** Ended replicas of one function that are remembered. */
    static final int ENDED_KEPT = 10;

    /** Seconds by which the recorded end of a killed controller's workloads may be too early. */
    private static final long ALIVE_SECONDS = 1;

    private static final Duration CLOSE_GRACE = Duration.ofSeconds(5);

    /** A killed process ends for certain: only a stalled machine takes this long. */
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(30);

    private final LocalSettings settings;
    private final RunDirectory run;
    private final UnitPrefetcher prefetch;
    private final MemoryGuard guard;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Map<String, RunningReplica> replicas = new ConcurrentHashMap<>();

    /** Running workloads that are no replicas. */
    private final Map<String, LocalWorkload> others = new ConcurrentHashMap<>();

    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("knabla-replica-timers").factory());
    private final LocalUsage usage;
    private final ReportDispatcher reports;
    private final ReplicaPool pool;
    private volatile boolean closed;

    private LocalCluster(
            LocalSettings settings,
            RunDirectory run,
            UnitPrefetcher prefetch,
            MemoryGuard guard,
            PoolSize poolSize,
            InstantSource clock,
            RandomGenerator random) {
        this.settings = settings;
        this.run = run;
        this.prefetch = prefetch;
        this.guard = guard;
        this.clock = clock;
        this.random = random;
        this.usage =
                LocalUsage.open(settings.run().resolve("intervals"), settings.nodes(), machine(), clock, this::close);
        this.reports = new ReportDispatcher(usage);
        this.pool = new ReplicaPool(
                poolSize,
                ReplicaCommand.usual(settings),
                new PoolProcesses(run, guard, ReplicaCommand.common(settings, System.getenv()), () -> hex(4)),
                this::anyStarting,
                this::hasRoom,
                clock);
        timers.scheduleWithFixedDelay(usage::touch, ALIVE_SECONDS, ALIVE_SECONDS, TimeUnit.SECONDS);
    }

    private static Resources machine() {
        return new Resources(
                BigDecimal.valueOf(Runtime.getRuntime().availableProcessors()), ProcessMemory.machineBytes(), 0);
    }

    /** As {@link #open(LocalSettings, PoolSize)}, without a pool. */
    public static LocalCluster open(LocalSettings settings) {
        return open(settings, PoolSize.OFF);
    }

    /** Locks the home and cleans up what an earlier controller left there. The pool is empty until it is started. */
    public static LocalCluster open(LocalSettings settings, PoolSize poolSize) {
        return open(settings, UnitPrefetcher.none(), MemoryGuards.forThisSystem(), poolSize);
    }

    static LocalCluster open(LocalSettings settings, UnitPrefetcher prefetch, MemoryGuard guard, PoolSize poolSize) {
        return new LocalCluster(
                settings,
                RunDirectory.open(settings.run()),
                prefetch,
                guard,
                poolSize,
                InstantSource.system(),
                new SecureRandom());
    }

    private boolean anyStarting() {
        return replicas.values().stream().anyMatch(running -> running.replica().state() == State.STARTING);
    }

    /** On a GPU a process that waits holds memory, so that a slot must be free for it. */
    private boolean hasRoom(PoolVariant variant) {
        return variant.isOnCpu()
                || LocalGpu.hasFreeSlot(
                        settings.nodes(),
                        workloads().stream().map(Workload::node).toList());
    }

    @Override
    public Replica start(ReplicaRequest request) {
        String id = id(request);
        Replica starting = new Replica(
                id,
                request.function(),
                request.version().number(),
                Optional.of(request.version().created()),
                request.node(),
                State.STARTING,
                Optional.empty(),
                hex(16),
                Map.of(),
                clock.instant(),
                "starting",
                Replica.Failure.UNSPECIFIED,
                Replica.Start.COLD);
        ReplicaLog log = new ReplicaLog(logFile(settings.logs(), request.function(), id), LOG_BYTES);
        ReplicaProcess process = new ReplicaProcess(
                starting,
                log,
                this::notifyListeners,
                () -> run.forget(id),
                timers,
                guard,
                report -> reports.dispatch(id, request.node(), report));
        RunningReplica running = new RunningReplica(request.workload(id), process, grace(request));
        replicas.put(id, running);
        launch(running, request);
        // After the launch, to not delay it.
        forgetOld(request.function());
        return process.replica();
    }

    @Override
    public void onUtilization(ObjIntConsumer<String> listener) {
        reports.onUtilization(listener);
    }

    /** Called with the node on each error of a GPU that a replica tells. */
    public void onGpuError(BiConsumer<String, GpuError> listener) {
        reports.onGpuError(listener);
    }

    private void launch(RunningReplica running, ReplicaRequest request) {
        ReplicaProcess process = running.process();
        String id = process.replica().id();
        if (closed) {
            process.failUnstarted("the controller is stopping");
            return;
        }
        if (Files.notExists(settings.replicaArgs())) {
            process.failUnstarted(
                    "the replica's program is not at %s; build it with ./knabla, or set KNABLA_REPLICA_HOME"
                            .formatted(settings.replicaArgs()));
            return;
        }
        try {
            prefetch.start(request.version().unit());
            Path temp = run.prepare(id);
            usage.starting(running.workload(), process.replica().started());
            ReplicaCommand command =
                    ReplicaCommand.of(settings, request, process.replica().token(), temp, System.getenv());
            process.launch(
                    new ReplicaLauncher(command, pool, handle -> run.tryNote(id, handle)), settings.startDeadline());
        } catch (IOException error) {
            process.failUnstarted("cannot start %s: %s".formatted(settings.java(), error.getMessage()));
            return;
        }
        if (process.ended()) {
            return;
        }
        run.tryNote(id, process.handle());
        process.log()
                .note("started on node %s as process %d"
                        .formatted(request.node(), process.handle().pid()));
        if (closed) {
            stop(id);
        }
    }

    @Override
    public void stop(String replica) {
        RunningReplica running = replicas.get(replica);
        if (running != null) {
            running.process().stop(running.grace());
        }
    }

    @Override
    public void suspect(String replica) {
        RunningReplica running = replicas.get(replica);
        if (running != null) {
            running.process().suspect();
        }
    }

    @Override
    public void retried(String replica) {
        usage.retried(replica);
    }

    /**
     * Adds a workload that is no replica, just before its process starts: from then on it takes a slot, its usage is
     * recorded, and it is interrupted with its node. Its owner ends it when the platform stops, and calls
     * {@link #remove} when its process has ended.
     */
    public void add(LocalWorkload workload) {
        others.put(workload.workload().id(), workload);
        usage.starting(workload.workload(), clock.instant());
    }

    /** Removes a workload that was added, when its process has ended. */
    public void remove(String workload, ReplicaEnd end) {
        others.remove(workload);
        usage.ended(workload, end);
    }

    @Override
    public List<Workload> workloads() {
        return running().map(LocalWorkload::workload).toList();
    }

    private Stream<LocalWorkload> running() {
        return Stream.<LocalWorkload>concat(replicas.values().stream(), others.values().stream())
                .filter(workload -> !workload.hasEnded());
    }

    /** Records that a node is about to be taken back: the workloads on it that end now were interrupted. */
    void warn(String node) {
        usage.warned(node);
    }

    /** Kills the workloads of a node that is taken back. */
    void takeBack(String node) {
        usage.takenBack(node);
        running().filter(running -> running.workload().node().equals(node)).forEach(LocalWorkload::interrupt);
    }

    void giveBack(String node) {
        settings.nodes().stream().filter(one -> one.name().equals(node)).forEach(usage::returned);
    }

    /** Its processes that wait for a function. */
    public ReplicaPool pool() {
        return pool;
    }

    /** What its nodes and workloads use. */
    public UsageSource usage() {
        return usage;
    }

    @Override
    public List<Replica> replicas() {
        return replicas.values().stream().map(RunningReplica::replica).toList();
    }

    @Override
    public List<Node> nodes() {
        return settings.nodes();
    }

    @Override
    public void onChange(Listener listener) {
        listeners.add(listener);
    }

    /** Drains all replicas, and kills those that take too long; idempotent. */
    @Override
    public void close() {
        closed = true;
        pool.close();
        replicas.keySet().forEach(this::stop);
        await(CLOSE_GRACE);
        replicas.values().stream()
                .map(RunningReplica::process)
                .filter(process -> !process.ended())
                .forEach(ReplicaProcess::abort);
        await(KILL_TIMEOUT);
        timers.shutdownNow();
        run.close();
    }

    private void await(Duration most) {
        long until = System.nanoTime() + most.toNanos();
        for (RunningReplica running : replicas.values()) {
            running.process().awaitEnd(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
        }
    }

    private void notifyListeners(Replica replica) {
        usage.changed(replica);
        for (Listener listener : listeners) {
            try {
                listener.changed(replica);
            } catch (RuntimeException bug) {
                LOG.log(ERROR, "a listener failed on " + replica.id(), bug);
            }
        }
    }

    private Duration grace(ReplicaRequest request) {
        Duration timeout = request.version().spec().timeout();
        return timeout.compareTo(settings.drainGrace()) < 0 ? timeout : settings.drainGrace();
    }

    /** Keeps the latest ended replicas and their logs, to explain a crash. */
    private void forgetOld(FunctionId function) {
        replicas.values().stream()
                .filter(ended -> ended.replica().function().equals(function))
                .filter(RunningReplica::hasEnded)
                .sorted(Comparator.comparing(ended -> ended.replica().started(), Comparator.reverseOrder()))
                .skip(ENDED_KEPT)
                .forEach(this::forget);
    }

    private void forget(RunningReplica ended) {
        replicas.remove(ended.replica().id());
        try {
            Files.deleteIfExists(ended.process().log().file());
        } catch (IOException left) {
            LOG.log(WARNING, "could not delete an old log", left);
        }
    }

    static Path logFile(Path logs, FunctionId function, String replica) {
        return logs.resolve(function.namespace()).resolve(function.name()).resolve(replica + ".log");
    }

    private String id(ReplicaRequest request) {
        String prefix = request.function().name() + "-v" + request.version().number() + "-";
        String id = prefix + hex(4);
        while (replicas.containsKey(id)) {
            id = prefix + hex(4);
        }
        return id;
    }

    private String hex(int bytes) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        return HexFormat.of().formatHex(value);
    }
}
