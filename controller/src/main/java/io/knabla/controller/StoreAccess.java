package io.knabla.controller;

import io.knabla.storage.ObjectStore;
import io.knabla.storage.Stores;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Where the object store is and what reaches it: the one place that turns settings into what {@link Stores} takes.
 *
 * @param environment variables by name, such as {@code KNABLA_S3_ENDPOINT} and {@code AWS_ACCESS_KEY_ID}; holds secrets
 */
public record StoreAccess(String location, Map<String, String> environment) {
    private static final String S3 = "s3.";

    /** In either case, as curl and the AWS SDK know them. */
    private static final Set<String> PROXIES = Set.of("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY");

    public StoreAccess {
        environment = Map.copyOf(environment);
    }

    /**
     * @param surroundings the process's environment
     * @param s3 by key of {@code config.yaml}'s {@code s3}; these beat the surroundings
     */
    static StoreAccess of(String location, Map<String, String> surroundings, Map<String, String> s3) {
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

    /** As verbs see it that run beside the platform: the environment beats {@code config.yaml}. */
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
    static String variable(String setting) {
        return setting.equals("s3.region")
                ? "AWS_REGION"
                : "KNABLA_" + setting.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    /** The same, less patient: for a look whether it is there while somebody waits for the answer. */
    StoreAccess impatient() {
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

    /** Whether this machine has no files of it, so that each object has to be fetched. */
    public boolean isRemote() {
        return location.startsWith("s3:");
    }

    /** What another process of ours needs to open it; nothing where its place says all. */
    public Map<String, String> forProcesses() {
        return isRemote() ? environment : Map.of();
    }

    /**
     * Which of a replica's argument files starts it best.
     *
     * @param plain for those that find all they want on this machine
     * @param speaks whether it asks the store by itself; the cache that helps there costs others time
     */
    public Path arguments(Path plain, boolean speaks) {
        String name = plain.getFileName().toString();
        return isRemote() && speaks ? plain.resolveSibling(name.replace(".args", "-s3.args")) : plain;
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return location;
    }
}
