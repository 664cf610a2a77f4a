package io.knabla.runtime.serve;

import java.time.Duration;

/**
 * Settings of the HTTP side of a replica: model name, version, access token, body limit and drain time.
 *
 * @param token token that every request must carry in {@code Knabla-Replica-Token}; empty for none
 * @param drain how long requests in flight may take after SIGTERM
 */
public record ReplicaSettings(String model, String version, String token, int maxBodyBytes, Duration drain) {}
