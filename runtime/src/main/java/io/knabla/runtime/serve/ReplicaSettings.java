package io.knabla.runtime.serve;

import java.time.Duration;

/**
 * How a replica presents its model.
 *
 * @param token what every request must carry in {@code Knabla-Replica-Token}; empty for none
 * @param drain how long requests in flight may take once the process is told to stop
 */
public record ReplicaSettings(String model, String version, String token, int maxBodyBytes, Duration drain) {}
