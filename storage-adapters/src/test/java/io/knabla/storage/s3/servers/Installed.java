package io.knabla.storage.s3.servers;

import java.nio.file.Path;

/** What became of an installation. */
sealed interface Installed {
    record At(Path folder) implements Installed {}

    /** @param why a sentence for people */
    record Impossible(String why) implements Installed {}
}
