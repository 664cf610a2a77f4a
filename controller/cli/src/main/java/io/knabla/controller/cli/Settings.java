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

/** Settings from environment variables, then from {@code config.yaml} in the home folder. */
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

    /** Value of a key in {@code config.yaml}; the variable KNABLA_ plus the key in capitals takes precedence. */
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
     * Kubeconfig context to use. The first of flags, environment and file that names a platform decides; empty if it
     * names a server.
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

    /** @param names of the two settings, for the message */
    private record Named(String names, Optional<String> context, Optional<String> server) {
        Named {
            if (context.isPresent() && server.isPresent()) {
                throw CliFailure.usageError("%s each name a platform; use only one of them.", names);
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
