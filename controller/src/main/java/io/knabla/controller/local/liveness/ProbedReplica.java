package io.knabla.controller.local.liveness;

import java.net.URI;

/** What health probes read from a replica process and report to it. Thread-safe. */
public interface ProbedReplica {
    URI address();

    String token();

    CpuTimes cpuTimes();

    /** Whether it is to be probed: ready or unresponsive, and not told to stop. */
    boolean probed();

    /** Called when it answers a probe. */
    void responsive();

    /** Called when it should get no requests. */
    void unresponsive(String reason);

    /** Called when it hangs. */
    void killHanging(String reason);
}
