package io.knabla.controller.platform;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Files on this machine that outlive what they are about: logs of ended replicas, marks of units that are gone. A
 * cluster has none.
 */
public interface MachineFiles {
    /** Name in reports. */
    String kind();

    /** Decides about every file, from what is true now. */
    List<FileDecision> decide() throws IOException;

    /** Deletes a file; returns whether it was there. */
    boolean delete(Path file) throws IOException;

    /** @param because the reason, which follows "because" */
    record FileDecision(Path file, long bytes, boolean keeps, String because) {}
}
