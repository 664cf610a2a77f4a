package io.knabla.runtime.modes;

import io.knabla.functions.unit.Digest;
import io.knabla.runtime.engine.Device;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.prefill.PrefillAddress;
import io.knabla.storage.settings.SettingsReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of a replica process, read from its environment variables.
 *
 * @param state key of the training state in the store; empty for none
 * @param prefill function that reads prompts for this one
 */
public record Settings(
        Digest unit,
        String store,
        Path cache,
        Address address,
        Model model,
        EngineSettings engine,
        Access access,
        String state,
        Optional<PrefillAddress> prefill) {
    /** The largest array. */
    private static final int MAX_BODY = Integer.MAX_VALUE - 8;

    private static final int MILLIS_A_DAY = 86_400_000;

    /**
     * Listen address; port 0 takes a free port.
     *
     * @param knative whether requests come through Knative, not through Knabla's gateway
     */
    public record Address(String host, int port, boolean knative) {}

    /** Name and version under which the unit is served. */
    public record Model(String name, String version) {}

    /**
     * Access rules: the caller's token, the largest body, whether a closed standard input ends the process, and whether
     * clients may share memory.
     */
    public record Access(String token, int maxBodyBytes, boolean stdinWatch, boolean sharedMemory) {}

    /** Parses all settings; throws one {@link IllegalArgumentException} that lists every fault. */
    public static Settings parse(Map<String, String> environment) {
        var reader = SettingsReader.of(environment);
        var settings = read(reader);
        reader.throwFaults("the replica's settings are wrong");
        return settings;
    }

    private static Settings read(SettingsReader reader) {
        return new Settings(
                unit(reader),
                reader.required("KNABLA_STORE"),
                Path.of(reader.required("KNABLA_CACHE")),
                new Address(
                        reader.text("KNABLA_HOST").orElse("127.0.0.1"),
                        reader.number("PORT", 0, 0, 65_535),
                        // Knative sets K_REVISION in its containers and reserves the name.
                        reader.text("K_REVISION").isPresent()),
                new Model(
                        reader.text("KNABLA_MODEL_NAME").orElse("model"),
                        reader.text("KNABLA_MODEL_VERSION").orElse("1")),
                engine(reader),
                new Access(
                        reader.text("KNABLA_REPLICA_TOKEN").orElse(""),
                        reader.number("KNABLA_MAX_BODY_BYTES", usualBody(), 1, MAX_BODY),
                        reader.flag("KNABLA_STDIN_WATCH"),
                        reader.flag("KNABLA_SHARED_MEMORY")),
                reader.text("KNABLA_STATE").orElse(""),
                prefill(reader));
    }

    private static Optional<PrefillAddress> prefill(SettingsReader reader) {
        Optional<String> url = reader.text("KNABLA_PREFILL_URL");
        if (url.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(PrefillAddress.of(
                    url.get(), reader.text("KNABLA_PREFILL_KEY").orElse("")));
        } catch (IllegalArgumentException malformed) {
            reader.report("KNABLA_PREFILL_URL is wrong: " + malformed.getMessage());
            return Optional.empty();
        }
    }

    private static EngineSettings engine(SettingsReader reader) {
        return new EngineSettings(
                reader.number("KNABLA_CONCURRENCY", 4, 1, 1024),
                reader.number("KNABLA_QUEUE", 100, 0, 1_000_000),
                Duration.ofMillis(reader.number("KNABLA_TIMEOUT_MS", 30_000, 1, MILLIS_A_DAY)),
                reader.number("KNABLA_BATCH_MAX_SIZE", 1, 1, 65_536),
                Duration.ofMillis(reader.number("KNABLA_BATCH_MAX_DELAY_MS", 0, 0, 60_000)),
                threads(reader),
                device(reader));
    }

    /** A replica without these settings computes on the CPU, and loads no class of a GPU. */
    static Device device(SettingsReader reader) {
        return reader.text(GpuSettings.DEVICE).isEmpty() ? Device.CPU : GpuSettings.read(reader);
    }

    /** Half of the heap, which is the rule of functions too: the other half holds a response. */
    private static int usualBody() {
        return (int) Math.min(MAX_BODY, Runtime.getRuntime().maxMemory() / 2);
    }

    static int threads(SettingsReader reader) {
        return reader.number("KNABLA_THREADS", 1, 1, 1024);
    }

    private static Digest unit(SettingsReader reader) {
        String text = reader.required("KNABLA_UNIT");
        if (text.isEmpty()) {
            return null;
        }
        try {
            return new Digest(text);
        } catch (IllegalArgumentException malformed) {
            reader.report("KNABLA_UNIT is " + malformed.getMessage());
            return null;
        }
    }
}
