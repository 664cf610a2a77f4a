package io.knabla.controller.home;

import io.knabla.storage.ObjectStore;
import io.knabla.storage.settings.SettingsReader;
import io.knabla.storage.setup.Stores;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Location and credentials of the object store; the only place that turns settings into arguments of {@link Stores}.
 *
 * @param environment variables by name, such as {@code KNABLA_S3_ENDPOINT} and {@code AWS_ACCESS_KEY_ID}; holds secrets
 */
public record StoreAccess(String location, Map<String, String> environment) {
    /** In upper or lower case, as curl and the AWS SDK read them. */
    private static final Set<String> PROXIES = Set.of("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY");

    public StoreAccess {
        environment = Map.copyOf(environment);
    }

    /** The store that the settings select, with everything in them that concerns a store. */
    public static StoreAccess of(SettingsReader settings, Home home) {
        Map<String, String> environment = new TreeMap<>();
        settings.names().stream()
                .filter(StoreAccess::concernsStores)
                .forEach(name -> settings.text(name).ifPresent(value -> environment.put(name, value)));
        return new StoreAccess(
                settings.text("KNABLA_STORE")
                        .orElseGet(() -> home.store().toUri().toString()),
                environment);
    }

    private static boolean concernsStores(String variable) {
        return variable.startsWith("AWS_")
                || variable.startsWith("KNABLA_S3_")
                || PROXIES.contains(variable.toUpperCase(Locale.ROOT));
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

    /** The arguments that start fastest: the SDK of S3 is of no use if the store is a folder on this machine. */
    public ReplicaArguments arguments(ReplicaArguments wanted) {
        return wanted == ReplicaArguments.Writers && !isRemote() ? ReplicaArguments.Graphs : wanted;
    }

    /** Omits the environment, because it holds secrets. */
    @Override
    public String toString() {
        return location;
    }
}
