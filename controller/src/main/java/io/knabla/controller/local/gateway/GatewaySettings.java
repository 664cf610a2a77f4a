package io.knabla.controller.local.gateway;

/**
 * Limits on the requests that the gateway accepts.
 *
 * @param maxBodyBytes largest body of one request; a larger one is rejected with 413
 * @param replayBytes bodies up to this size are kept and can be sent again when a replica dies
 * @param maxKeptBytes total size of the kept bodies of one version; more are rejected with 429
 * @param maxQueued waiting requests per version, half of them from one address; more are rejected with 429
 */
public record GatewaySettings(long maxBodyBytes, int replayBytes, long maxKeptBytes, int maxQueued) {
    public static final GatewaySettings DEFAULT = new GatewaySettings(64L << 20, 1 << 20, 16L << 20, 1_000);
}
