package io.knabla.runtime.modes;

import io.knabla.functions.unit.Digest;
import io.knabla.runtime.engine.EngineSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Settings of a replica process, read from its environment variables.
 *
 * @param state key of the training state in the store; empty for none
 */
public record Settings(
        Digest unit,
        String store,
        Path cache,
        Address address,
        Model model,
        EngineSettings engine,
        Access access,
        String state) {

    /**
     * Listen address; port 0 takes a free port.
     *
     * @param knative whether requests come through Knative, not through Knabla's gateway
     */
    public record Address(String host, int port, boolean knative) {}

    /** Name and version under which the unit is served. */
    public record Model(String name, String version) {}

    /** Access rules: the caller's token, the largest body, and whether a closed standard input ends the process. */
    public record Access(String token, int maxBodyBytes, boolean stdinWatch) {}

    /** Parses all settings; throws one {@link IllegalArgumentException} that lists every fault. */
    public static Settings parse(Map<String, String> environment) {
        var reader = new Reader(environment);
        var settings = reader.read();
        if (!reader.faults.isEmpty()) {
            throw new IllegalArgumentException("the replica's settings are wrong: " + String.join("; ", reader.faults));
        }
        return settings;
    }

    private static final class Reader {
        private static final int MAX_BODY = 1 << 30;
        private static final int MILLIS_A_DAY = 86_400_000;

        private final Map<String, String> environment;
        private final List<String> faults = new ArrayList<>();

        Reader(Map<String, String> environment) {
            this.environment = environment;
        }

        Settings read() {
            var engine = new EngineSettings(
                    number("KNABLA_CONCURRENCY", 4, 1, 1024),
                    number("KNABLA_QUEUE", 100, 0, 1_000_000),
                    Duration.ofMillis(number("KNABLA_TIMEOUT_MS", 30_000, 1, MILLIS_A_DAY)),
                    number("KNABLA_BATCH_MAX_SIZE", 1, 1, 65_536),
                    Duration.ofMillis(number("KNABLA_BATCH_MAX_DELAY_MS", 0, 0, 60_000)),
                    number("KNABLA_THREADS", 1, 1, 1024));
            return new Settings(
                    unit(),
                    text("KNABLA_STORE", null),
                    Path.of(text("KNABLA_CACHE", null)),
                    new Address(
                            text("KNABLA_HOST", "127.0.0.1"),
                            number("PORT", 0, 0, 65_535),
                            // Knative sets K_REVISION in its containers and reserves the name.
                            !text("K_REVISION", "").isEmpty()),
                    new Model(text("KNABLA_MODEL_NAME", "model"), text("KNABLA_MODEL_VERSION", "1")),
                    engine,
                    new Access(
                            text("KNABLA_REPLICA_TOKEN", ""),
                            number("KNABLA_MAX_BODY_BYTES", 64 << 20, 1, MAX_BODY),
                            text("KNABLA_STDIN_WATCH", "0").equals("1")),
                    text("KNABLA_STATE", ""));
        }

        private Digest unit() {
            String text = text("KNABLA_UNIT", null);
            if (text.isEmpty()) {
                return null;
            }
            try {
                return new Digest(text);
            } catch (IllegalArgumentException malformed) {
                faults.add("KNABLA_UNIT is " + malformed.getMessage());
                return null;
            }
        }

        private String text(String name, String fallback) {
            String value = environment.get(name);
            if (value != null && !value.isEmpty()) {
                return value;
            }
            if (fallback == null) {
                faults.add(name + " is not set");
                return "";
            }
            return fallback;
        }

        private int number(String name, int fallback, int min, int max) {
            String value = text(name, Integer.toString(fallback));
            try {
                int number = Integer.parseInt(value);
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException notOne) {
                // Reported below, with the allowed range.
            }
            faults.add("%s is '%s', allowed are %d to %d".formatted(name, value, min, max));
            return fallback;
        }
    }
}
