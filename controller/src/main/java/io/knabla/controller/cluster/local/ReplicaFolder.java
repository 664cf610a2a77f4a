package io.knabla.controller.cluster.local;

import io.knabla.controller.Settings;
import java.nio.file.Path;

/** Where the replica's program is on this machine. */
public final class ReplicaFolder {
    /** Where a build from source leaves it, seen from the repository's root. */
    private static final Path BUILT = Path.of("runtime", "target", "replica");

    private ReplicaFolder() {}

    /** It may not be there. */
    public static Path of(Settings settings) {
        return settings.replica().home().orElse(BUILT).toAbsolutePath();
    }
}
