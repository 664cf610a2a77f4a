package io.knabla.runtime.serve;

import java.time.Duration;

/**
 * Settings of the HTTP side of a replica: model name, version, access token, body limit and drain time.
 *
 * @param token token that every request must carry in {@code Knabla-Replica-Token}; empty for none
 * @param drain how long requests in flight may take after SIGTERM
 * @param sharedMemory whether clients may register regions of shared memory here; those of a gateway need no leave
 * @param stuckAfter a run that goes on for this long after it was told to stop makes the replica not live
 */
public record ReplicaSettings(
        String model,
        String version,
        String token,
        int maxBodyBytes,
        Duration drain,
        Duration stuckAfter,
        boolean sharedMemory) {
    /** On a starved machine one operator may take many times its usual time. */
    private static final Duration LEAST_STUCK = Duration.ofSeconds(30);

    /** @param timeout of one request; a run is stuck after another such time, or 30 s if that is longer */
    public static ReplicaSettings of(String model, String version, String token, int maxBodyBytes, Duration timeout) {
        Duration stuck = timeout.compareTo(LEAST_STUCK) < 0 ? LEAST_STUCK : timeout;
        return new ReplicaSettings(model, version, token, maxBodyBytes, timeout, stuck, false);
    }

    public ReplicaSettings withSharedMemory() {
        return new ReplicaSettings(model, version, token, maxBodyBytes, drain, stuckAfter, true);
    }
}
