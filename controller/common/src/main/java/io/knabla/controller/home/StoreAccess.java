package io.knabla.controller.home;

import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Location and credentials of the object store; the only place that turns settings into arguments of {@link Stores}.
 *
 * @param environment variables by name, such as {@code KNABLA_S3_ENDPOINT} and {@code AWS_ACCESS_KEY_ID}; holds secrets
 */
public record StoreAccess(String location, Map<String, String> environment) {
    private static final String S3 = "s3.";

    /** In upper or lower case, as curl and the AWS SDK read them. */
    private static final Set<String> PROXIES = Set.of("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY");

    public StoreAccess {
        environment = Map.copyOf(environment);
    }

    /**
     * @param surroundings the process's environment
     * @param s3 by key of {@code s3} in {@code config.yaml}; these override the surroundings
     */
    public static StoreAccess of(String location, Map<String, String> surroundings, Map<String, String> s3) {
        Map<String, String> environment = new TreeMap<>();
        surroundings.forEach((name, value) -> {
            if (name.startsWith("AWS_")
                    || name.startsWith("KNABLA_S3_")
                    || PROXIES.contains(name.toUpperCase(Locale.ROOT))) {
                environment.put(name, value);
            }
        });
        s3.forEach((key, value) -> environment.put(variable(S3 + key), value));
        return new StoreAccess(location, environment);
    }

    /** Store of a CLI command, which runs beside the platform: the environment overrides {@code config.yaml}. */
    public static StoreAccess ofCommandLine(Map<String, String> surroundings, Path home, Optional<String> flag) {
        Map<String, String> file = ConfigFile.read(home.resolve("config.yaml")).settings();
        Map<String, String> s3 = new TreeMap<>();
        file.forEach((name, value) -> {
            String key = name.substring(ConfigFile.PREFIX.length());
            if (key.startsWith(S3)
                    && surroundings.getOrDefault(variable(key), "").isBlank()) {
                s3.put(key.substring(S3.length()), value);
            }
        });
        String location = flag.or(() -> Optional.ofNullable(surroundings.get("KNABLA_STORE")))
                .filter(text -> !text.isBlank())
                .or(() -> Optional.ofNullable(file.get(ConfigFile.PREFIX + "store")))
                .orElseGet(() -> new Home(home).store().toUri().toString());
        return of(location, surroundings, s3);
    }

    /** The variable of a setting: {@code KNABLA_S3_ENDPOINT} for {@code s3.endpoint}. */
    public static String variable(String setting) {
        return setting.equals("s3.region")
                ? "AWS_REGION"
                : "KNABLA_" + setting.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    /** The same with short timeouts, for a reachability check while the user waits. */
    public StoreAccess withShortTimeouts() {
        Map<String, String> hurried = new TreeMap<>(environment);
        hurried.putIfAbsent("KNABLA_S3_CONNECT_TIMEOUT", "3s");
        hurried.putIfAbsent("KNABLA_S3_REQUEST_TIMEOUT", "5s");
        hurried.putIfAbsent("KNABLA_S3_CALL_TIMEOUT", "10s");
        hurried.putIfAbsent("KNABLA_S3_ATTEMPTS", "2");
        return new StoreAccess(location, hurried);
    }

    public ObjectStore open() {
        return Stores.open(location, environment);
    }

    /** Whether objects must be downloaded, because they are no files on this machine. */
    public boolean isRemote() {
        return location.startsWith("s3:");
    }

    /** Environment variables that a child process needs to open the store; empty for a local folder. */
    public Map<String, String> forProcesses() {
        return isRemote() ? environment : Map.of();
    }

    /**
     * Selects the argument file that starts a replica fastest.
     *
     * @param plain for processes that find all files on this machine
     * @param speaks whether the process calls the store itself; the startup cache for that slows down the others
     */
    public Path arguments(Path plain, boolean speaks) {
        String name = plain.getFileName().toString();
        return isRemote() && speaks ? plain.resolveSibling(name.replace(".args", "-s3.args")) : plain;
    }

    /** Omits the environment, because it holds secrets. */
    @Override
    public String toString() {
        return location;
    }
}
