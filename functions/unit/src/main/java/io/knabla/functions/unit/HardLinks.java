package io.knabla.functions.unit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates hard links in the unit cache: units that share a weight file also share its pages in the page cache. */
final class HardLinks {
    private HardLinks() {}

    /** Returns false if the file system does not support hard links, or the two paths are on different ones. */
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
