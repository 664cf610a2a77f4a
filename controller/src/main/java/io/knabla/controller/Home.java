package io.knabla.controller;

import java.nio.file.Path;

/** The folders below {@code KNABLA_HOME}; nothing of Knabla is written anywhere else. */
public record Home(Path path) {
    public Home {
        path = path.toAbsolutePath().normalize();
    }

    /** The object store, where no other was set. */
    public Path store() {
        return path.resolve("store");
    }

    /** Units as replicas read them; may be deleted while nothing runs. */
    public Path cache() {
        return path.resolve("cache");
    }

    /** {@code {namespace}/{name}/{replica}.log} */
    public Path logs() {
        return path.resolve("logs");
    }

    /** What belongs to running processes only: temporary folders, notes of their ids. */
    public Path run() {
        return path.resolve("run");
    }

    /** Model files that are not there yet as a whole. */
    public Path uploads() {
        return path.resolve("uploads");
    }

    /** What was measured of this host. */
    public Path calibration() {
        return path.resolve("calibration.json");
    }

    public Path config() {
        return path.resolve("config.yaml");
    }
}
