package io.knabla.controller.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.api.TemporaryHome;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests with unread bodies and malformed hosts, on a real socket. */
@QuarkusTest
@QuarkusTestResource(TemporaryHome.class)
class UnreadRequestCloserTest {
    private static final int ENDLESS_MILLIS = 120_000;

    @TestHTTPResource
    URI server;

    @ParameterizedTest
    @CsvSource({
        "POST /v2/models/nobody/infer, localhost, 404",
        "POST /api/v1/functions, evil.example, 403",
        "PUT /api/v1/models/none, localhost, 400",
    })
    void closesAConnectionWithAnUnreadBody(String line, String host, int status) throws IOException {
        try (var socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(ENDLESS_MILLIS);
            send(
                    socket,
                    "%s HTTP/1.1\r\nHost: %s\r\nContent-Length: 9999999999\r\n\r\nand so on".formatted(line, host));

            // The stream ends only when the server closes the connection.
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answer).startsWith("HTTP/1.1 " + status);
        }
    }

    @ParameterizedTest
    @CsvSource({"localhost:80:80, 400", "'', 400"})
    void answersAMalformedHostWithAProblem(String host, int status) throws IOException {
        try (var socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(ENDLESS_MILLIS);
            send(socket, "GET /v2 HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(host));

            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answer)
                    .startsWith("HTTP/1.1 " + status)
                    .contains("application/problem+json")
                    .contains("Host header");
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }
}
