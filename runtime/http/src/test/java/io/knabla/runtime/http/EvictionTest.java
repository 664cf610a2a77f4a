package io.knabla.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.http.ConnectionProgress.Phase;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that slow peers make room for others when connections or memory run out. */
@Timeout(60)
class EvictionTest {
    private static final Duration NEVER = Duration.ofDays(1);
    private static final int BODY = 1 << 20;
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private final AtomicLong clock = new AtomicLong(1);
    private final EchoHandler echo = new EchoHandler();
    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private HttpServer server(int connections, long buffered) throws IOException {
        var limits = new HttpLimits(BODY, buffered, connections, connections, NEVER, NEVER, NEVER);
        return HttpServer.open(new InetSocketAddress("127.0.0.1", 0), echo, limits, clock::get);
    }

    private Socket call(HttpServer server, String bytes) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        sockets.add(socket);
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private static String status(Socket socket) throws IOException {
        var line = new StringBuilder();
        InputStream in = socket.getInputStream();
        for (int b = in.read(); b >= 0 && b != '\r'; b = in.read()) {
            line.append((char) b);
        }
        return line.toString();
    }

    private static boolean closed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static void awaitPhase(HttpServer server, Phase phase) {
        while (server.progress().noneMatch(now -> now.phase() == phase)) {
            Thread.onSpinWait();
        }
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    @Test
    void aHalfHeadMakesRoomBeforeAnIdleConnection() throws Exception {
        try (var server = server(2, BODY)) {
            Socket idle = call(server, GET);
            assertThat(status(idle)).contains("200");
            Socket half = call(server, "GET / HT");
            awaitPhase(server, Phase.HEAD);
            pass(Duration.ofSeconds(2));

            assertThat(status(call(server, GET))).contains("200");

            assertThat(closed(half)).isTrue();
        }
    }

    @Test
    void aConnectionWithoutARequestMakesRoomBeforeAnIdleOne() throws Exception {
        try (var server = server(2, BODY)) {
            Socket idle = call(server, GET);
            assertThat(status(idle)).contains("200");
            awaitPhase(server, Phase.IDLE);
            pass(Duration.ofSeconds(1));
            Socket silent = call(server, "");
            awaitPhase(server, Phase.NEW);
            pass(Duration.ofSeconds(1));

            assertThat(status(call(server, GET))).contains("200");

            assertThat(closed(silent)).isTrue();
        }
    }

    @Test
    void aConnectionWhoseRequestIsHandledIsKept() throws Exception {
        echo.gate = new CompletableFuture<>();
        try (var server = server(1, BODY)) {
            Socket working = call(server, GET);
            echo.awaitEntered(1);
            pass(Duration.ofHours(1));

            assertThat(status(call(server, GET))).contains("503");

            echo.gate.complete(null);
            assertThat(status(working)).contains("200");
        }
    }

    @Test
    void bodiesThatStopMakeRoomForOneThatComes() throws Exception {
        String stopped =
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n".formatted(BODY) + "x".repeat(300 << 10);
        String whole = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %1$d\r\n\r\n".formatted(300 << 10)
                + "x".repeat(300 << 10);
        try (var server = server(100, 800 << 10)) {
            Socket hoarder = call(server, stopped);
            while (server.progress().noneMatch(now -> now.bytes() == 300 << 10)) {
                Thread.onSpinWait();
            }
            // The clock stands, so the hoarder is not late yet.
            assertThat(status(call(server, whole))).contains("503");
            pass(Duration.ofMinutes(1));

            assertThat(status(call(server, whole))).contains("200");
            assertThat(closed(hoarder)).isTrue();
        }
    }

    @Test
    void aPeerThatOwesMoreIsClosedFirst() {
        long second = 1_000_000_000L;
        assertThat(new ConnectionProgress(Phase.IDLE, 0, 0).urgency(second)).isEqualTo(second);
        assertThat(new ConnectionProgress(Phase.NEW, 0, 0).urgency(second)).isEqualTo(8 * second);
        assertThat(new ConnectionProgress(Phase.HEAD, 0, 0).urgency(second)).isEqualTo(8 * second);
        assertThat(new ConnectionProgress(Phase.BODY, 0, 64 << 10).urgency(second))
                .isZero();
        assertThat(new ConnectionProgress(Phase.RESPONSE, 0, 0).urgency(second)).isZero();
        assertThat(new ConnectionProgress(Phase.HANDLING, 0, 0).urgency(second)).isNegative();
    }

    @Test
    void aConnectionThatWasJustOpenedIsTolerated() throws Exception {
        try (var server = server(1, BODY)) {
            Socket young = call(server, "");
            awaitPhase(server, Phase.NEW);
            pass(Duration.ofMillis(50));

            assertThat(status(call(server, GET))).contains("503");
            pass(Duration.ofMillis(1));
            assertThat(status(call(server, GET))).contains("200");

            assertThat(closed(young)).isTrue();
        }
    }

    /** No thread serves this connection yet, as on a busy machine. */
    @Test
    void aPeerWhoseBytesTheServerHasNotReadIsNotLate() throws Exception {
        try (var server = server(1, BODY);
                var listener = new ServerSocket(0);
                var peer = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
                var accepted = listener.accept()) {
            var starved = new HttpConnection(server, accepted);
            ConnectionProgress seen = starved.progress();
            assertThat(starved.awaits(seen)).isTrue();
            peer.getOutputStream().write('G');
            while (accepted.getInputStream().available() == 0) {
                Thread.onSpinWait();
            }
            assertThat(starved.awaits(seen)).isFalse();
        }
    }
}
