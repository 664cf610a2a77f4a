package io.knabla.storage.s3.servers;

import java.nio.file.Path;

/** Result of an installation. */
sealed interface InstallResult {
    record At(Path folder) implements InstallResult {}

    /** @param why a sentence for people */
    record Impossible(String why) implements InstallResult {}
}
