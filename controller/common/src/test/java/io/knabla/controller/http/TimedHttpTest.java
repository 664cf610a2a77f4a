package io.knabla.controller.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimedHttpTest {
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";

    private final HttpClient http = HttpClient.newHttpClient();
    private ServerSocket server;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        http.shutdownNow();
    }

    /** Answers the next connection, and completes when the client has closed it. */
    private CompletableFuture<Void> answer(String text) {
        var closed = new CompletableFuture<Void>();
        Thread.ofVirtual().start(() -> {
            try (Socket client = server.accept()) {
                client.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
                client.getInputStream().transferTo(OutputStream.nullOutputStream());
                closed.complete(null);
            } catch (IOException broken) {
                closed.complete(null);
            }
        });
        return closed;
    }

    private HttpResponse<String> ask(Duration timeout) throws IOException, InterruptedException {
        URI address = URI.create("http://127.0.0.1:" + server.getLocalPort());
        return TimedHttp.send(
                http, HttpRequest.newBuilder(address).timeout(timeout).build(), BodyHandlers.ofString());
    }

    @Test
    void anAnswerThatStallsInItsBodyTimesOut() {
        CompletableFuture<Void> closed = answer(HEAD + "he");

        assertThatThrownBy(() -> ask(Duration.ofMillis(500))).isInstanceOf(HttpTimeoutException.class);
        closed.join();
    }

    @Test
    void aTimedHttpIsReturned() throws Exception {
        answer(HEAD + "hello");

        assertThat(ask(Duration.ofMinutes(1)).body()).isEqualTo("hello");
    }

    @Test
    void aFailureIsThatOfTheConnection() throws IOException {
        server.close();

        assertThatThrownBy(() -> ask(Duration.ofMinutes(1))).isInstanceOf(ConnectException.class);
    }
}
