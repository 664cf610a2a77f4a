package io.knabla.functions.unit;

import io.knabla.storage.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a process that knows no function needs to serve one: environment variables. The controller writes it to the
 * store for the functions that sleep in a wake pool, and every pool member reads one from its standard input.
 */
public record UnitAssignment(Map<String, String> environment) {
    /** How long a pool keeps the function's process without requests, in milliseconds. */
    public static final String IDLE_MILLIS = "KNABLA_IDLE_MS";

    /** Memory that the function's process may take, in bytes. */
    public static final String MEMORY_BYTES = "KNABLA_MEMORY_BYTES";

    private static final String PREFIX = "wake-pool/";

    public UnitAssignment {
        environment = Map.copyOf(environment);
    }

    /** The store's object of a function that may sleep in the pool of its namespace. */
    public static ObjectKey key(String namespace, String function) {
        return new ObjectKey(PREFIX + namespace + "/" + function);
    }

    /** Returns the number behind a name; {@code otherwise} if there is none. */
    public long number(String name, long otherwise) {
        try {
            return Long.parseLong(environment.getOrDefault(name, ""));
        } catch (NumberFormatException absent) {
            return otherwise;
        }
    }

    /** In the format of {@code /proc/PID/environ}, and an empty entry at the end. */
    public byte[] bytes() {
        StringBuilder entries = new StringBuilder();
        new TreeMap<>(environment)
                .forEach((name, value) ->
                        entries.append(name).append('=').append(value).append('\0'));
        return entries.append('\0').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Reads what {@link #bytes} wrote; entries without a name are left out. */
    public static UnitAssignment of(byte[] bytes) {
        Map<String, String> environment = new TreeMap<>();
        for (String entry : new String(bytes, StandardCharsets.UTF_8).split("\0")) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                environment.put(entry.substring(0, equals), entry.substring(equals + 1));
            }
        }
        return new UnitAssignment(environment);
    }
}
