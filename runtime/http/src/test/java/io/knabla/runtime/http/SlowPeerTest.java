package io.knabla.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests deadlines and limits against slow peers. Each test waits for the server to close the connection and times out
 * if it does not.
 */
@Timeout(300)
class SlowPeerTest {
    private static final Duration SOON = Duration.ofMillis(200);
    private static final Duration NEVER = Duration.ofDays(1);
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final int BODY = 1 << 20;

    /** Clock that stands still, because stalls of this machine must not make a peer late. */
    private static final class Clock implements LongSupplier {
        private volatile Long standing = System.nanoTime();

        void run() {
            standing = null;
        }

        void stop() {
            standing = System.nanoTime();
        }

        @Override
        public long getAsLong() {
            Long at = standing;
            return at == null ? System.nanoTime() : at;
        }
    }

    private static HttpLimits limits(Duration head, Duration idle, Duration transfer) {
        return new HttpLimits(BODY, 4L * BODY, 100, 100, head, idle, transfer);
    }

    private static HttpServer front(HttpHandler handler, HttpLimits limits) throws IOException {
        return front(handler, limits, System::nanoTime);
    }

    private static HttpServer front(HttpHandler handler, HttpLimits limits, LongSupplier clock) throws IOException {
        return HttpServer.open(new InetSocketAddress("127.0.0.1", 0), handler, limits, clock);
    }

    private static Socket call(HttpServer front, String bytes) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), front.port());
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private static String post(int length) {
        return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n";
    }

    /** Reads one complete response with the handler's body. */
    private static String answer(InputStream in) throws IOException {
        var text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            assertThat(b).as("the end of the connection after '%s'", text).isNotNegative();
            text.append((char) b);
        }
        int at = text.indexOf("Content-Length: ") + "Content-Length: ".length();
        int length = Integer.parseInt(text.substring(at, text.indexOf("\r", at)));
        return text + new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    /** Waits until the server closes the connection; closing with unread bytes causes a reset. */
    private static void awaitEnd(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET", "GET / HTTP/1.1\r\nHost: x\r\n"})
    void closesIfHeadNeverEnds(String begun) throws Exception {
        try (var front = front(new EchoHandler(), limits(SOON, NEVER, NEVER));
                var socket = call(front, begun)) {
            awaitEnd(socket);
        }
    }

    @Test
    void closesIfSecondHeadNeverEnds() throws Exception {
        var clock = new Clock();
        try (var front = front(new EchoHandler(), limits(SOON, NEVER, NEVER), clock);
                var socket = call(front, GET + "GET")) {
            assertThat(answer(socket.getInputStream())).startsWith("HTTP/1.1 200");
            clock.run();
            awaitEnd(socket);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 9", "Transfer-Encoding: chunked"})
    void closesIfBodyNeverEnds(String kind) throws Exception {
        // A chunked body may be as long as the limit and gets the time for that.
        var limits = new HttpLimits(1 << 10, BODY, 100, 100, NEVER, NEVER, SOON);
        String head = "POST / HTTP/1.1\r\nHost: x\r\n" + kind + "\r\n\r\n4\r\n";
        var echo = new EchoHandler();
        try (var front = front(echo, limits);
                var socket = call(front, head)) {
            awaitEnd(socket);
            echo.awaitDone(1);
        }
    }

    @Test
    void closesIdleConnection() throws Exception {
        try (var front = front(new EchoHandler(), limits(NEVER, SOON, NEVER));
                var socket = call(front, GET)) {
            assertThat(answer(socket.getInputStream())).startsWith("HTTP/1.1 200");
            awaitEnd(socket);
        }
    }

    @Test
    void closesIfPeerNeverReads() throws Exception {
        var echo = new EchoHandler();
        // Larger than the kernel's socket buffers on both sides.
        echo.answer = new byte[64 << 20];
        var limits = new HttpLimits(BODY, BODY, 100, 100, NEVER, NEVER, SOON.minusSeconds(64 << 20 >> 16));
        try (var front = front(echo, limits);
                var socket = call(front, GET)) {
            echo.awaitDone(1);
            awaitEnd(socket);
        }
    }

    @Test
    void handlerTimeIsNotLimited() throws Exception {
        var echo = new EchoHandler();
        echo.gate = new CompletableFuture<>();
        var clock = new Clock();
        try (var front = front(echo, limits(SOON, SOON, SOON), clock);
                var patient = call(front, GET)) {
            echo.awaitEntered(1);
            clock.run();
            // Started later with the same limit: when this one is closed, the first had passed the limit.
            try (var slow = call(front, "GET")) {
                awaitEnd(slow);
            }
            clock.stop();
            echo.gate.complete(null);
            assertThat(answer(patient.getInputStream())).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void limitsMemoryOfLargeBodies() throws Exception {
        var echo = new EchoHandler();
        echo.gate = new CompletableFuture<>();
        int large = 600 << 10;
        var limits = new HttpLimits(BODY, 1200 << 10, 100, 100, NEVER, NEVER, NEVER);
        String request = post(large) + "x".repeat(large);
        try (var front = front(echo, limits, new Clock())) {
            try (var first = call(front, request)) {
                echo.awaitEntered(1);
                try (var second = call(front, request)) {
                    assertThat(answer(second.getInputStream()))
                            .startsWith("HTTP/1.1 503")
                            .contains("too many large bodies");
                }
                try (var small = call(front, post(4) + "abcd")) {
                    echo.awaitEntered(2);
                    echo.gate.complete(null);
                    assertThat(answer(small.getInputStream())).endsWith("abcd");
                }
                assertThat(answer(first.getInputStream())).endsWith("x");
            }
            echo.awaitDone(3);
            for (int i = 0; i < 3; i++) {
                // One after the other: the reservation is released each time.
                try (var next = call(front, request)) {
                    assertThat(answer(next.getInputStream())).startsWith("HTTP/1.1 200");
                    echo.awaitDone(4 + i);
                }
            }
        }
    }

    @Test
    void limitsConnections() throws Exception {
        var limits = new HttpLimits(BODY, BODY, 2, 2, NEVER, NEVER, NEVER);
        try (var front = front(new EchoHandler(), limits, new Clock());
                var first = call(front, GET)) {
            answer(first.getInputStream());
            try (var second = call(front, GET)) {
                answer(second.getInputStream());
                try (var third = new Socket(InetAddress.getLoopbackAddress(), front.port())) {
                    assertThat(answer(third.getInputStream()))
                            .startsWith("HTTP/1.1 503")
                            .contains("Connection: close")
                            .contains("2 connections");
                    assertThat(third.getInputStream().read()).isNegative();
                }
            }
            // The server notices the end of the second connection a moment later.
            while (!taken(front)) {
                Thread.onSpinWait();
            }
            first.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
            assertThat(answer(first.getInputStream())).startsWith("HTTP/1.1 200");
        }
    }

    private static boolean taken(HttpServer front) throws IOException {
        try (var socket = call(front, GET)) {
            return answer(socket.getInputStream()).startsWith("HTTP/1.1 200");
        } catch (SocketException refused) {
            return false;
        }
    }
}
