package io.knabla.runtime.http;

import java.net.InetAddress;
import java.time.Duration;

/**
 * Limits of the HTTP server: sizes, connections and times.
 *
 * @param bodyBytes size of the largest body
 * @param bufferedBytes total size of all large bodies in memory; half of it for those of one address
 * @param connections number of concurrent connections
 * @param connectionsPerClient number of concurrent connections of one address; programs on this machine share the
 *     larger limit
 * @param headTime from the first byte of a request to the end of its head
 * @param idleTime between two requests on a connection
 * @param transferTime for a body or a response, plus one second for every 64 KiB
 */
public record HttpLimits(
        int bodyBytes,
        long bufferedBytes,
        int connections,
        int connectionsPerClient,
        Duration headTime,
        Duration idleTime,
        Duration transferTime) {
    /** Size of a request's head, from its first byte to the empty line. */
    public static final int HEAD_BYTES = 16 << 10;

    public static final int HEADERS = 100;

    /** Bytes that bodies of one client may take in memory: programs on this machine share all of them. */
    public long bufferedBytesOf(InetAddress client) {
        return client.isLoopbackAddress() ? bufferedBytes : bufferedBytes / 2;
    }

    public static HttpLimits forBodies(int bodyBytes) {
        return new HttpLimits(
                bodyBytes,
                Math.max(BodyBuffer.mostFor(bodyBytes), Runtime.getRuntime().maxMemory() / 2),
                4096,
                1024,
                Duration.ofSeconds(10),
                Duration.ofSeconds(75),
                Duration.ofSeconds(30));
    }
}
