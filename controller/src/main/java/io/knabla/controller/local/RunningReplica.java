package io.knabla.controller.local;

import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Workload;
import java.time.Duration;

/**
 * A replica that runs, or has ended a short time ago.
 *
 * @param grace time that its process gets to finish its requests
 */
record RunningReplica(Workload workload, ReplicaProcess process, Duration grace) implements LocalWorkload {
    Replica replica() {
        return process.replica();
    }

    @Override
    public boolean hasEnded() {
        return process.ended();
    }

    @Override
    public void interrupt() {
        process.interrupt();
    }
}
