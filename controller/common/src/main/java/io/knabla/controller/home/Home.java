package io.knabla.controller.home;

import io.knabla.storage.settings.SettingsReader;
import java.nio.file.Path;

/** Folders below {@code KNABLA_HOME}; Knabla writes nowhere else. */
public record Home(Path path) {
    public Home {
        path = path.toAbsolutePath().normalize();
    }

    /** {@code KNABLA_HOME}, by default {@code ~/.knabla}. */
    public static Home of(SettingsReader settings) {
        return new Home(settings.text("KNABLA_HOME")
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".knabla")));
    }

    /** Default object store, used unless another one is configured. */
    public Path store() {
        return path.resolve("store");
    }

    /** Cache of the units that replicas read; may be deleted while no replica runs. */
    public Path cache() {
        return path.resolve("cache");
    }

    /** {@code {namespace}/{name}/{replica}.log} */
    public Path logs() {
        return path.resolve("logs");
    }

    /** State of running processes only: temporary folders and process ids. */
    public Path run() {
        return path.resolve("run");
    }

    /** Usage that is recorded and not yet merged into the store. */
    public Path usage() {
        return path.resolve("usage");
    }

    /** Model files whose upload or download is incomplete. */
    public Path uploads() {
        return path.resolve("uploads");
    }

    /** Results of the benchmark of this host. */
    public Path machineProfile() {
        return path.resolve("calibration.json");
    }

    public Path config() {
        return path.resolve("config.yaml");
    }
}
