package io.knabla.controller.cli;

import io.knabla.controller.home.ConfigFile;
import io.knabla.controller.home.Home;
import io.knabla.controller.home.StoreAccess;
import io.knabla.storage.settings.SettingNames;
import io.knabla.storage.settings.SettingsReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Settings of the command line: flags, then environment variables, then {@code config.yaml} in the home folder. */
public final class Settings {
    private static final String DEFAULT_SERVER = "http://127.0.0.1:8080";
    private static final String CONTEXT = "KNABLA_CONTEXT";
    private static final String SERVER = "KNABLA_SERVER";

    private final Map<String, String> environment;
    private final Home home;
    private Map<String, String> file;

    private Settings(Map<String, String> environment) {
        this.environment = environment;
        this.home = Home.of(SettingsReader.of(environment));
    }

    public static Settings ofProcess() {
        return of(System.getenv());
    }

    public static Settings of(Map<String, String> environment) {
        return new Settings(environment);
    }

    public Path home() {
        return home.path();
    }

    /** A reader of its own faults. */
    public SettingsReader reader() {
        return with(Map.of());
    }

    private SettingsReader with(Map<String, String> flags) {
        return new SettingsReader(List.of(() -> flags, () -> environment, this::file));
    }

    /** Value of a key in {@code config.yaml}; the variable KNABLA_ plus the key in capitals takes precedence. */
    public Optional<String> find(String key) {
        return reader().text(SettingNames.variable(key));
    }

    /** Store of a command, which runs beside the platform. */
    public StoreAccess store(Optional<String> flag) {
        return StoreAccess.of(
                with(flag.map(location -> Map.of("KNABLA_STORE", location)).orElse(Map.of())), home);
    }

    public String server(String flag) {
        return flag != null ? flag : find("server").orElse(DEFAULT_SERVER);
    }

    /**
     * Kubeconfig context to use. The first of flags, environment and file that names a platform decides; empty if it
     * names a server.
     */
    public Optional<String> context(CommonOptions flags) {
        Map<String, String> named = new TreeMap<>();
        Optional.ofNullable(flags.context).ifPresent(context -> named.put(CONTEXT, context));
        Optional.ofNullable(flags.server).ifPresent(server -> named.put(SERVER, server));
        return Stream.of(
                        new Named("--context and --server", () -> named),
                        new Named("KNABLA_CONTEXT and KNABLA_SERVER", () -> environment),
                        new Named("context and server in " + home.config(), this::file))
                .filter(Named::any)
                .findFirst()
                .flatMap(Named::context);
    }

    /** @param names of the two settings, for the message */
    private record Named(String names, SettingsReader source) {
        Named(String names, Supplier<Map<String, String>> source) {
            this(names, new SettingsReader(List.of(source)));
        }

        boolean any() {
            return source.text(CONTEXT).isPresent() || source.text(SERVER).isPresent();
        }

        Optional<String> context() {
            if (source.text(CONTEXT).isPresent() && source.text(SERVER).isPresent()) {
                throw CliFailure.usageError("%s each name a platform; use only one of them.", names);
            }
            return source.text(CONTEXT);
        }
    }

    private Map<String, String> file() {
        if (file == null) {
            ConfigFile read = ConfigFile.read(home.config());
            read.fault().ifPresent(fault -> {
                throw CliFailure.failed("cannot read %s. Correct the file or move it away.", fault);
            });
            file = read.byVariable();
        }
        return file;
    }
}
