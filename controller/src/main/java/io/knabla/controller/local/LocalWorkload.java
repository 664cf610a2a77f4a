package io.knabla.controller.local;

import io.knabla.controller.platform.Workload;

/** A workload that runs as a process on this machine. */
public interface LocalWorkload {
    Workload workload();

    /** Whether its process has ended: it holds no slot any more. */
    boolean hasEnded();

    /** Kills its process, because its node was taken back; returns at once. */
    void interrupt();
}
