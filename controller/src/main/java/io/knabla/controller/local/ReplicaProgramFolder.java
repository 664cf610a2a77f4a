package io.knabla.controller.local;

import io.knabla.controller.config.Settings;
import java.nio.file.Path;

/** Locates the folder of the replica's program on this machine. */
public final class ReplicaProgramFolder {
    /** Result of a build from source, relative to the root of the repository. */
    private static final Path BUILT = Path.of("runtime", "target", "replica");

    private ReplicaProgramFolder() {}

    /** The folder may not exist. */
    public static Path of(Settings settings) {
        return settings.replica().home().orElse(BUILT).toAbsolutePath();
    }
}
