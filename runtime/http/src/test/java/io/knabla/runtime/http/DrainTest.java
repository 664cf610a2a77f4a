package io.knabla.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a server that drains closes each connection after the next response on it, streamed or not. */
@Timeout(60)
class DrainTest {
    private HttpServer server;

    /** Streams the answers to all requests that have a body. */
    private static final class Handler extends EchoHandler {
        @Override
        public void handle(HttpExchange exchange) throws IOException {
            exchange.readBody();
            byte[] body = exchange.request().body();
            int length = exchange.request().bodyLength();
            if (length == 0) {
                exchange.respond(new HttpResponse(200, "text/plain", "", body, 0));
                return;
            }
            ResponseWriter out = exchange.respond(200, "", -1);
            out.write(body, length);
            out.end();
        }
    }

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0), new Handler(), HttpLimits.forBodies(1 << 20));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static void post(Socket socket, String body) throws IOException {
        socket.getOutputStream()
                .write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(body.length(), body)
                        .getBytes(StandardCharsets.US_ASCII));
    }

    private static String readTo(Socket socket, String end) throws IOException {
        var text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("ended after: " + text);
            }
            text.append((char) next);
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "streamed"})
    void closesAConnectionAfterItsNextResponse(String body) throws Exception {
        String end = body.isEmpty() ? "\r\n\r\n" : "0\r\n\r\n";
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            post(socket, body);
            assertThat(readTo(socket, end)).startsWith("HTTP/1.1 200 ").doesNotContain("Connection: close");

            server.drain();
            post(socket, body);
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Connection: close\r\n")
                    .endsWith(end);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "streamed"})
    void tellsAPeerOfHttp2ThatNoFurtherStreamIsWanted(String body) throws Exception {
        server.drain();
        try (var peer = new Http2Peer(server.port())) {
            peer.head(1, body.isEmpty(), Http2Peer.post());
            if (!body.isEmpty()) {
                peer.data(1, true, body.getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(peer.answer(1).body())
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo(body);
            assertThat(peer.goAway()).isEqualTo(Http2Error.NO_ERROR);
        }
    }
}
