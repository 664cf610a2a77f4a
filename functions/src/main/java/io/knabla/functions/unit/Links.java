package io.knabla.functions.unit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Hard links: versions that share a weight share its pages too. */
final class Links {
    private Links() {}

    /** Answers false where this file system, or this pair of them, has none. */
    static boolean make(Path existing, Path name) {
        try {
            Files.createLink(name, existing);
            return true;
        } catch (UnsupportedOperationException | IOException noLinks) {
            return false;
        }
    }

    static void makeOrCopy(Path existing, Path name) throws IOException {
        // A graph may use one blob twice.
        if (!make(existing, name) && !Files.exists(name)) {
            Files.copy(existing, name);
        }
    }
}
