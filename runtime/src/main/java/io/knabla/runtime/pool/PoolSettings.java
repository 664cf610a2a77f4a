package io.knabla.runtime.pool;

import io.knabla.storage.settings.SettingsReader;
import java.nio.file.Path;
import java.util.Map;

/**
 * Settings of a wake pool, read from its environment variables.
 *
 * @param namespace whose functions it answers for, and no other's
 * @param store location of units and assignments
 * @param memoryBytes of all member processes together
 * @param heapMebibytes largest heap of a member
 * @param spares members that wait for a function
 */
public record PoolSettings(
        String namespace,
        String store,
        Path cache,
        Path temp,
        String host,
        int port,
        long memoryBytes,
        int heapMebibytes,
        int spares) {
    /** Parses all settings; throws one {@link IllegalArgumentException} that lists every fault. */
    public static PoolSettings parse(Map<String, String> environment) {
        var reader = SettingsReader.of(environment);
        var settings = new PoolSettings(
                reader.required("KNABLA_POOL_NAMESPACE"),
                reader.required("KNABLA_STORE"),
                Path.of(reader.required("KNABLA_CACHE")),
                Path.of(reader.text("KNABLA_POOL_TEMP").orElse(System.getProperty("java.io.tmpdir"))),
                reader.text("KNABLA_HOST").orElse("127.0.0.1"),
                reader.number("PORT", 0, 0, 65_535),
                (long) reader.number("KNABLA_POOL_MEMORY_MB", 768, 64, 1 << 20) << 20,
                reader.number("KNABLA_POOL_HEAP_MB", 128, 32, 1 << 15),
                reader.number("KNABLA_POOL_SPARES", 1, 1, 32));
        reader.throwFaults("the pool's settings are wrong");
        return settings;
    }
}
