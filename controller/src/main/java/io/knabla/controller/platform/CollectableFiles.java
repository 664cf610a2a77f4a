package io.knabla.controller.platform;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * One kind of files on this machine that garbage collection may delete, such as the logs of ended replicas. A cluster
 * has none.
 */
public interface CollectableFiles {
    /** Name in reports. */
    String kind();

    /** Decides about every file, from what is true now. */
    List<FileDecision> decide() throws IOException;

    /** Deletes a file; returns whether it was there. */
    boolean delete(Path file) throws IOException;

    /** @param because the reason, which follows "because" */
    record FileDecision(Path file, long bytes, boolean keeps, String because) {}
}
