package io.knabla.controller.local.gateway;

/**
 * Limits on the requests that the gateway accepts.
 *
 * @param maxBodyBytes largest body of one request, whatever its function's memory; a larger one is rejected with 413
 * @param replayBytes bodies up to this size are kept and can be sent again when a replica dies
 * @param maxKeptBytes total size of the kept bodies of one version; more are rejected with 429
 * @param sharedMemory whether clients on this machine may share memory
 * @param maxQueued waiting requests per version, half of them from one address; more are rejected with 429
 */
public record GatewaySettings(
        long maxBodyBytes, int replayBytes, long maxKeptBytes, int maxQueued, boolean sharedMemory) {
    GatewaySettings(long maxBodyBytes, int replayBytes, long maxKeptBytes, int maxQueued) {
        this(maxBodyBytes, replayBytes, maxKeptBytes, maxQueued, false);
    }

    public static final GatewaySettings DEFAULT = new GatewaySettings(Long.MAX_VALUE, 1 << 20, 16L << 20, 1_000);

    GatewaySettings withMaxBody(long bytes) {
        return new GatewaySettings(bytes, replayBytes, maxKeptBytes, maxQueued, sharedMemory);
    }

    GatewaySettings withSharedMemory(boolean shared) {
        return new GatewaySettings(maxBodyBytes, replayBytes, maxKeptBytes, maxQueued, shared);
    }
}
