package io.knabla.controller.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Settings outside the flags: the environment first, then {@code config.yaml} in the home. */
public final class Settings {
    private static final String FILE = "config.yaml";
    private static final String DEFAULT_SERVER = "http://127.0.0.1:8080";

    private final Map<String, String> environment;
    private final Path home;
    private JsonNode file;

    private Settings(Map<String, String> environment, Path home) {
        this.environment = environment;
        this.home = home;
    }

    public static Settings ofProcess() {
        return of(System.getenv());
    }

    public static Settings of(Map<String, String> environment) {
        String home = environment.getOrDefault("KNABLA_HOME", "");
        return new Settings(
                environment, home.isBlank() ? Path.of(System.getProperty("user.home"), ".knabla") : Path.of(home));
    }

    public Path home() {
        return home.toAbsolutePath().normalize();
    }

    /** A setting by its key in {@code config.yaml}; its variable is KNABLA_ and the key in capitals. */
    public Optional<String> find(String key) {
        return inEnvironment(key).or(() -> inFile(key));
    }

    private Optional<String> inEnvironment(String key) {
        return Optional.of(environment.getOrDefault("KNABLA_" + key.toUpperCase(), ""))
                .filter(value -> !value.isBlank());
    }

    private Optional<String> inFile(String key) {
        JsonNode value = file().path(key);
        return value.isValueNode() && !value.isNull() ? Optional.of(value.asText()) : Optional.empty();
    }

    public String server(String flag) {
        return flag != null ? flag : find("server").orElse(DEFAULT_SERVER);
    }

    /**
     * The kubeconfig's context to act in; empty where the strongest of flags, environment and file that names a
     * platform names a server.
     */
    public Optional<String> context(CommonOptions flags) {
        return Stream.<Supplier<Named>>of(
                        () -> new Named(
                                "--context and --server",
                                Optional.ofNullable(flags.context),
                                Optional.ofNullable(flags.server)),
                        () -> new Named(
                                "KNABLA_CONTEXT and KNABLA_SERVER", inEnvironment("context"), inEnvironment("server")),
                        () -> new Named(
                                "context and server in " + home.resolve(FILE), inFile("context"), inFile("server")))
                .map(Supplier::get)
                .filter(Named::any)
                .findFirst()
                .flatMap(Named::context);
    }

    /** @param names of both, for people */
    private record Named(String names, Optional<String> context, Optional<String> server) {
        Named {
            if (context.isPresent() && server.isPresent()) {
                throw CliFailure.wrongUse("%s each name a platform; write one of them.", names);
            }
        }

        boolean any() {
            return context.isPresent() || server.isPresent();
        }
    }

    private JsonNode file() {
        if (file == null) {
            file = read(home.resolve(FILE));
        }
        return file;
    }

    private static JsonNode read(Path path) {
        if (!Files.exists(path)) {
            return MissingNode.getInstance();
        }
        try {
            return new YAMLMapper().readTree(path.toFile());
        } catch (IOException unreadable) {
            throw CliFailure.because(
                    unreadable, "cannot read %s: %s. Correct the file or move it away.", path, unreadable.getMessage());
        }
    }
}
