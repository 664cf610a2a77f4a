package io.knabla.controller.gateway;

/**
 * Bounds on what the gateway takes in.
 *
 * @param mostBodyBytes of one request; more is refused with 413
 * @param replayBytes a request up to this size is kept, so that it can be sent again when a replica dies
 * @param mostHeld requests per version that may wait; more are refused with 429
 */
public record GatewaySettings(long mostBodyBytes, int replayBytes, int mostHeld) {
    public static final GatewaySettings DEFAULT = new GatewaySettings(64L << 20, 1 << 20, 1_000);
}
