package io.knabla.controller.deploy;

import io.knabla.controller.Home;
import io.knabla.controller.Ids;
import io.knabla.controller.Settings;
import io.knabla.controller.StoreAccess;
import io.knabla.controller.deploy.CheckProcess.Ended;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Units;
import io.knabla.functions.unit.cache.CacheBound;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The replica's program, run once for one unit in a process of its own, under limits. */
@Singleton
final class ReplicaProgram {
    private static final System.Logger LOG = System.getLogger(ReplicaProgram.class.getName());
    private static final String ARGUMENTS = "replica.args";

    /** Where a build from source leaves the replica, seen from the repository's root. */
    private static final Path BUILT_REPLICA = Path.of("runtime", "target", "replica");

    /** What it can be asked to do with a unit. */
    enum Mode {
        check,
        optimize
    }

    private static final String CALIBRATE = "calibrate";

    private final StoreAccess access;
    private final Units units;
    private final Home home;
    private final Settings settings;
    private final Ids ids;

    ReplicaProgram(StoreAccess access, ObjectStore store, Home home, Settings settings, Ids ids) {
        this.access = access;
        this.units = new Units(store);
        this.home = home;
        this.settings = settings;
        this.ids = ids;
    }

    /** Empty where there is no such program. */
    Optional<Ended> run(Mode mode, Digest unit) {
        boolean writes = mode == Mode.optimize;
        return arguments()
                .map(plain -> access.arguments(plain, writes))
                .map(
                        arguments -> {
                            fetch(unit);
                            return run(mode.name(), arguments, environment(unit));
                        });
    }

    /** Quicker from here, where the way to the store is warm; what the program then says counts. */
    private void fetch(Digest unit) {
        if (access.isRemote()) {
            try {
                units.materialise(unit, home.cache());
            } catch (RuntimeException failed) {
                LOG.log(System.Logger.Level.WARNING, "cannot fetch " + unit, failed);
            }
        }
    }

    /** Measures the machine; empty where there is no such program. */
    Optional<Ended> calibrate(int threads) {
        Map<String, String> environment = surroundings();
        environment.put("KNABLA_THREADS", Integer.toString(threads));
        return arguments().map(arguments -> run(CALIBRATE, arguments, environment));
    }

    /** Where the program is, or would be. */
    Path folder() {
        return settings.replica().home().orElse(BUILT_REPLICA).toAbsolutePath();
    }

    private Optional<Path> arguments() {
        return Optional.of(folder().resolve(ARGUMENTS)).filter(Files::isRegularFile);
    }

    private Ended run(String mode, Path arguments, Map<String, String> environment) {
        Path temp = home.run().resolve(mode + "-" + ids.next());
        return new CheckProcess(
                        command(mode, arguments, temp),
                        environment,
                        temp,
                        Duration.ofSeconds(settings.check().seconds()),
                        (long) settings.check().mebibytes() << 20)
                .run();
    }

    /** What an end that was none of its own making means for who deploys; empty where it passed. */
    Optional<String> trouble(Ended ended) {
        return switch (ended) {
            case Ended.Passed _, Ended.Measured _ -> Optional.empty();
            case Ended.Refused(var sentence) -> Optional.of(sentence);
            case Ended.Crashed(var how) ->
                    Optional.of(
                            "the engine crashed on this model (%s); it was refused so that it cannot take replicas down. Export the model again, or report it with its file."
                                    .formatted(how));
            case Ended.TooSlow(var limit) ->
                    Optional.of(
                            "the engine did not load and run this model once within %d s. Make it smaller, or allow more with KNABLA_CHECK_SECONDS."
                                    .formatted(limit.toSeconds()));
            case Ended.TooLarge(var bytes) ->
                    Optional.of(
                            "the engine used %d MiB of memory to run this model once, allowed are %d. Make it smaller, or allow more with KNABLA_CHECK_MEBIBYTES."
                                    .formatted(bytes >> 20, settings.check().mebibytes()));
        };
    }

    private List<String> command(String mode, Path arguments, Path temp) {
        String java =
                settings.java()
                        .map(Path::toString)
                        .orElse(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        return List.of(java, "-Xmx512m", "-Djava.io.tmpdir=" + temp, "@" + arguments, mode);
    }

    /** Nothing of ours but what is named here: the controller's environment may hold secrets. */
    private static Map<String, String> surroundings() {
        Map<String, String> environment = new TreeMap<>();
        for (String name :
                List.of(
                        "PATH",
                        "HOME",
                        "LANG",
                        "LC_ALL",
                        "TZ",
                        "LD_LIBRARY_PATH",
                        CacheBound.SETTING)) {
            Optional.ofNullable(System.getenv(name)).ifPresent(v -> environment.put(name, v));
        }
        environment.put("ORT_DISABLE_TELEMETRY", "1");
        environment.put("MALLOC_ARENA_MAX", "1");
        return environment;
    }

    private Map<String, String> environment(Digest unit) {
        Map<String, String> environment = surroundings();
        environment.putAll(access.forProcesses());
        environment.put("KNABLA_UNIT", unit.value());
        environment.put("KNABLA_STORE", access.location());
        environment.put("KNABLA_CACHE", home.cache().toString());
        environment.put("KNABLA_STDIN_WATCH", "1");
        // So that the limit of the whole check is met first: what it says names the way out.
        environment.put(
                "KNABLA_TIMEOUT_MS",
                Long.toString(Duration.ofSeconds(settings.check().seconds()).toMillis()));
        return environment;
    }
}
