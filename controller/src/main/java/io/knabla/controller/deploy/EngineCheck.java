package io.knabla.controller.deploy;

import io.knabla.controller.Home;
import io.knabla.controller.Ids;
import io.knabla.controller.Settings;
import io.knabla.controller.deploy.CheckProcess.Ended;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Lets the engine load and run a new unit once, in a process of its own under limits: a model that
 * crashes or hangs it is refused here and never reaches a replica. What has passed is remembered in
 * the store and not tried again.
 */
@Singleton
final class EngineCheck {
    private static final String ARGUMENTS = "replica.args";

    /** Where a build from source leaves the replica, seen from the repository's root. */
    private static final Path BUILT_REPLICA = Path.of("runtime", "target", "replica");

    /** How it went. */
    sealed interface Checked {
        /** @param warning what did not go well and may yet be fine */
        record Works(Optional<String> warning) implements Checked {}

        record Refused(String sentence) implements Checked {}

        /** There is nothing to try it with. */
        record NotTried(String why) implements Checked {}
    }

    private final ObjectStore store;
    private final Home home;
    private final Settings settings;
    private final Ids ids;
    private final Checks checks;

    EngineCheck(ObjectStore store, Home home, Settings settings, Ids ids, Checks checks) {
        this.store = store;
        this.checks = checks;
        this.home = home;
        this.settings = settings;
        this.ids = ids;
    }

    Checked check(Digest unit) {
        Optional<Path> arguments =
                Optional.of(settings.replica().home().orElse(BUILT_REPLICA))
                        .map(folder -> folder.toAbsolutePath().resolve(ARGUMENTS))
                        .filter(Files::isRegularFile);
        if (arguments.isEmpty()) {
            return new Checked.NotTried(
                    "the model was not tried: there is no replica.args in KNABLA_REPLICA_HOME; start with ./knabla, which sets it");
        }
        return checks.of(unit).isPresent()
                ? new Checked.Works(Optional.empty())
                : run(arguments.get(), unit);
    }

    private Checked run(Path arguments, Digest unit) {
        Path temp = home.run().resolve("check-" + ids.next());
        var process =
                new CheckProcess(
                        command(arguments, temp),
                        environment(unit),
                        temp,
                        Duration.ofSeconds(settings.check().seconds()),
                        (long) settings.check().mebibytes() << 20);
        return switch (process.run()) {
            case Ended.Passed(var warning, var gradientCheck) -> {
                if (warning.isEmpty()) {
                    checks.passed(unit, gradientCheck);
                }
                yield new Checked.Works(warning);
            }
            case Ended.Refused(var sentence) -> new Checked.Refused(sentence);
            case Ended.Crashed(var how) ->
                    new Checked.Refused(
                            "the engine crashed on this model (%s); it was refused so that it cannot take replicas down. Export the model again, or report it with its file."
                                    .formatted(how));
            case Ended.TooSlow(var limit) ->
                    new Checked.Refused(
                            "the engine did not load and run this model once within %d s. Make it smaller, or allow more with KNABLA_CHECK_SECONDS."
                                    .formatted(limit.toSeconds()));
            case Ended.TooLarge(var bytes) ->
                    new Checked.Refused(
                            "the engine used %d MiB of memory to run this model once, allowed are %d. Make it smaller, or allow more with KNABLA_CHECK_MEBIBYTES."
                                    .formatted(bytes >> 20, settings.check().mebibytes()));
        };
    }

    private List<String> command(Path arguments, Path temp) {
        String java =
                settings.java()
                        .map(Path::toString)
                        .orElse(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        return List.of(java, "-Xmx512m", "-Djava.io.tmpdir=" + temp, "@" + arguments, "check");
    }

    /** Nothing of ours but what is named here: the controller's environment may hold secrets. */
    private Map<String, String> environment(Digest unit) {
        Map<String, String> environment = new TreeMap<>();
        for (String name : List.of("PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH")) {
            Optional.ofNullable(System.getenv(name)).ifPresent(v -> environment.put(name, v));
        }
        environment.put("ORT_DISABLE_TELEMETRY", "1");
        environment.put("MALLOC_ARENA_MAX", "1");
        environment.put("KNABLA_UNIT", unit.value());
        environment.put("KNABLA_STORE", store.location());
        environment.put("KNABLA_CACHE", home.cache().toString());
        environment.put("KNABLA_STDIN_WATCH", "1");
        // So that the limit of the whole check is met first: what it says names the way out.
        environment.put(
                "KNABLA_TIMEOUT_MS",
                Long.toString(Duration.ofSeconds(settings.check().seconds()).toMillis()));
        return environment;
    }
}
