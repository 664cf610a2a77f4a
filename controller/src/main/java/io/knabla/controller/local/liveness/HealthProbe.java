package io.knabla.controller.local.liveness;

import io.knabla.runtime.paths.ServerAction;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Requests a replica's {@code /v2/health/live} once, on a connection of its own. */
final class HealthProbe {
    private static final String UNHEALTHY = "HTTP/1.1 503";

    /** What came back. */
    enum Answer {
        HEALTHY,
        /** Status 503: a run of its engine is stuck. */
        UNHEALTHY,
        NONE
    }

    private HealthProbe() {}

    /** Any other status than 503 shows a working HTTP front. */
    static Answer ask(URI address, String token, Duration timeout) {
        long until = System.nanoTime() + timeout.toNanos();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), left(until));
            socket.getOutputStream().write(request(address, token));
            byte[] start = new byte[UNHEALTHY.length()];
            int read = 0;
            InputStream in = socket.getInputStream();
            while (read < start.length) {
                socket.setSoTimeout(left(until));
                int more = in.read(start, read, start.length - read);
                if (more < 0) {
                    return Answer.NONE;
                }
                read += more;
            }
            return new String(start, StandardCharsets.ISO_8859_1).equals(UNHEALTHY) ? Answer.UNHEALTHY : Answer.HEALTHY;
        } catch (IOException unanswered) {
            return Answer.NONE;
        }
    }

    private static byte[] request(URI address, String token) {
        return "GET %s HTTP/1.1\r\nHost: %s\r\nKnabla-Replica-Token: %s\r\nConnection: close\r\n\r\n"
                .formatted(ServerAction.LIVE.path(), address.getAuthority(), token)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static int left(long until) throws SocketTimeoutException {
        long millis = (until - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            throw new SocketTimeoutException();
        }
        return (int) millis;
    }
}
