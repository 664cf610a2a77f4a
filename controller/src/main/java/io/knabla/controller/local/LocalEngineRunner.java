package io.knabla.controller.local;

import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Ids;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.home.Home;
import io.knabla.controller.home.ReplicaArguments;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.machine.ProcessMemory;
import io.knabla.controller.platform.ReplicaEnvironment;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.cache.CacheBound;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Runs engine jobs (check, optimize, calibrate, quantize-ranges) with the replica's program as a process on this
 * machine.
 */
@Singleton
@ForPlatform(ClusterKind.Local)
final class LocalEngineRunner implements EngineRunner {
    private static final System.Logger LOG = System.getLogger(LocalEngineRunner.class.getName());

    /** A trial is of the unit: replicas of several sizes may serve it. */
    private static final int WHOLE_GPU = 1;

    private final StoreAccess access;
    private final UnitStore units;
    private final Home home;
    private final Settings settings;
    private final Ids ids;
    private final MemoryGuard guard;

    LocalEngineRunner(StoreAccess access, ObjectStore store, Home home, Settings settings, Ids ids, MemoryGuard guard) {
        this.access = access;
        this.units = new UnitStore(store);
        this.home = home;
        this.settings = settings;
        this.ids = ids;
        this.guard = guard;
    }

    @Override
    public EngineResult run(EngineRequest request) {
        Path plain = ReplicaProgramFolder.of(settings).resolve("replica.args");
        if (!Files.isRegularFile(plain)) {
            return new EngineResult.NotRun(
                    "there is no replica.args in KNABLA_REPLICA_HOME; start with ./knabla, which sets it");
        }
        request.unit().ifPresent(this::fetch);
        ReplicaArguments wanted = request.mode() == Mode.optimize ? ReplicaArguments.Writers : ReplicaArguments.Graphs;
        Path arguments = access.arguments(wanted).beside(plain);
        Path temp = RunDirectory.engine(home.run(), request.mode().argument() + "-" + ids.next());
        return new EngineJobProcess(
                        command(request.mode(), arguments, temp), environment(request), temp, request.limits(), guard)
                .run();
    }

    @Override
    public boolean hasPool(Pool pool) {
        return true;
    }

    @Override
    public MemoryLimit mostMemory() {
        return MemoryLimit.ofEngineOn(ProcessMemory.machineBytes());
    }

    /**
     * Fetches the unit here, where the connection to the store is open. If that fails, the program fetches it and
     * reports the error.
     */
    private void fetch(Digest unit) {
        if (access.isRemote()) {
            try {
                units.materialise(unit, home.cache());
            } catch (RuntimeException failed) {
                LOG.log(System.Logger.Level.WARNING, "cannot fetch " + unit, failed);
            }
        }
    }

    private List<String> command(Mode mode, Path arguments, Path temp) {
        String java = settings.java()
                .map(Path::toString)
                .orElse(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        return List.of(java, "-Xmx512m", "-Djava.io.tmpdir=" + temp, "@" + arguments, mode.argument());
    }

    private Map<String, String> environment(EngineRequest request) {
        Map<String, String> environment = inheritedEnvironment();
        environment.put("KNABLA_THREADS", Integer.toString(request.threads()));
        environment.put("KNABLA_BATCH_MAX_SIZE", Integer.toString(request.batchMaxSize()));
        environment.putAll(LocalGpu.environment(request.pool(), WHOLE_GPU, System.getenv()));
        request.unit().ifPresent(unit -> {
            environment.putAll(access.forProcesses());
            environment.put("KNABLA_UNIT", unit.value());
            environment.put("KNABLA_STORE", access.location());
            environment.put("KNABLA_CACHE", home.cache().toString());
            environment.put("KNABLA_STDIN_WATCH", "1");
            // No shorter than the limit of the whole run: its message names the remedy.
            environment.put(
                    "KNABLA_TIMEOUT_MS", Long.toString(request.limits().time().toMillis()));
        });
        return environment;
    }

    /** Passes only these variables of the controller: its environment may hold secrets. */
    private static Map<String, String> inheritedEnvironment() {
        Map<String, String> environment = new TreeMap<>();
        for (String name : List.of("PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", CacheBound.SETTING)) {
            Optional.ofNullable(System.getenv(name)).ifPresent(v -> environment.put(name, v));
        }
        environment.putAll(ReplicaEnvironment.ofProcess());
        return environment;
    }
}
