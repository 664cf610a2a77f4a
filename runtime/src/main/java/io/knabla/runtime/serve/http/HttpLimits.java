package io.knabla.runtime.serve.http;

import java.time.Duration;

/**
 * What one peer may take from us.
 *
 * @param bodyBytes the largest body
 * @param heldBytes the sum of all large bodies in memory
 * @param connections at the same time
 * @param headTime from the first byte of a request to the end of its head
 * @param idleTime between two requests of a connection
 * @param transferTime for a body or an answer, plus a second for every 64 KiB
 */
public record HttpLimits(
        int bodyBytes, long heldBytes, int connections, Duration headTime, Duration idleTime, Duration transferTime) {
    /** The head of a request, from its first byte to the empty line. */
    public static final int HEAD_BYTES = 16 << 10;

    public static final int HEADERS = 100;

    public static HttpLimits forBodies(int bodyBytes) {
        return new HttpLimits(
                bodyBytes,
                Math.max(2L * bodyBytes, Runtime.getRuntime().maxMemory() / 2),
                4096,
                Duration.ofSeconds(10),
                Duration.ofSeconds(75),
                Duration.ofSeconds(30));
    }
}
