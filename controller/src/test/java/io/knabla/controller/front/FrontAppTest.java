package io.knabla.controller.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.api.TemporaryHome;
import io.knabla.controller.auth.CrossOrigin;
import io.knabla.controller.auth.FrontKey;
import io.knabla.controller.auth.RequestGuard;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpLimits;
import io.knabla.runtime.http.HttpRequest;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The front before the real control API, on real sockets. */
@QuarkusTest
@QuarkusTestResource(TemporaryHome.class)
class FrontAppTest {
    private static final int ENDLESS_MILLIS = 120_000;

    @TestHTTPResource
    URI api;

    private Front front;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** There are no functions here. */
    private static final FunctionHandler NONE = new FunctionHandler() {
        @Override
        public boolean handles(HttpRequest request) {
            return false;
        }

        @Override
        public void handle(HttpExchange exchange) {
            throw new AssertionError();
        }
    };

    @BeforeEach
    void open() throws IOException {
        front = Front.open(
                new InetSocketAddress("127.0.0.1", 0),
                HttpLimits.forBodies(1 << 20),
                new RequestGuard("127.0.0.1", Optional.empty()),
                NONE,
                api.getPort(),
                "key");
    }

    @AfterEach
    void close() {
        front.close();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + front.port() + path);
    }

    private HttpResponse<String> send(java.net.http.HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void passesRequestsOnToTheControlApi() throws Exception {
        HttpResponse<String> list = send(java.net.http.HttpRequest.newBuilder(uri("/api/v1/functions")));
        HttpResponse<String> head = send(
                java.net.http.HttpRequest.newBuilder(uri("/api/v1/functions")).HEAD());
        HttpResponse<String> none = send(java.net.http.HttpRequest.newBuilder(uri("/api/v1/functions/default/none")));

        assertThat(list.statusCode()).isEqualTo(200);
        assertThat(list.headers().firstValue("Content-Type")).hasValue("application/json;charset=UTF-8");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(none.statusCode()).isEqualTo(404);
        assertThat(none.body()).contains("\"detail\"");
    }

    @ParameterizedTest
    @CsvSource({
        "OPTIONS, https://app.example, 204, https://app.example",
        "GET, https://app.example, 401, https://app.example",
        "OPTIONS, https://evil.example, 403,",
        "GET, https://evil.example, 403,",
        "GET,, 401,",
    })
    void answersPagesOfConfiguredOriginsAlone(String method, String origin, int status, String allowed)
            throws Exception {
        var pages = new CrossOrigin(Set.of("https://app.example"));
        try (Front open = Front.open(
                new InetSocketAddress("127.0.0.1", 0),
                HttpLimits.forBodies(1 << 20),
                new RequestGuard("127.0.0.1", Optional.of("secret"), pages),
                NONE,
                api.getPort(),
                "key")) {
            var request = java.net.http.HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + open.port() + "/api/v1/functions"))
                    .method(method, BodyPublishers.noBody())
                    .header("Access-Control-Request-Method", "PUT");
            HttpResponse<String> answer = send(origin == null ? request : request.header("Origin", origin));

            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
                    .isEqualTo(Optional.ofNullable(allowed));
            assertThat(answer.headers()
                            .firstValue("Access-Control-Allow-Methods")
                            .isPresent())
                    .isEqualTo(status == 204);
            assertThat(answer.headers().allValues("Vary")).containsExactly("Origin");
        }
    }

    @Test
    void streamsABodyAndPassesAnEarlyAnswerOn() throws Exception {
        byte[] model = new byte[8 << 20];
        var body = BodyPublishers.ofInputStream(() -> (InputStream) new ByteArrayInputStream(model));

        HttpResponse<String> tooLarge =
                send(java.net.http.HttpRequest.newBuilder(uri("/api/v1/models/sha256:" + "0".repeat(64)))
                        .PUT(body));

        assertThat(tooLarge.statusCode()).isEqualTo(413);
    }

    @ParameterizedTest
    @CsvSource({
        "POST /api/v1/functions, evil.example, 403",
        "PUT /api/v1/models/none, localhost, 400",
        "POST /nothing, localhost, 404",
    })
    void closesAConnectionWhoseBodyWasNotRead(String line, String host, int status) throws IOException {
        try (var socket = new Socket("127.0.0.1", front.port())) {
            socket.setSoTimeout(ENDLESS_MILLIS);
            String begun = "%s HTTP/1.1\r\nHost: %s\r\nContent-Length: 9999999999\r\n\r\n".formatted(line, host);
            socket.getOutputStream().write((begun + "x".repeat(100_000)).getBytes(StandardCharsets.US_ASCII));

            // The stream ends only when the server closes the connection.
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answer).startsWith("HTTP/1.1 " + status);
        }
    }

    @ParameterizedTest
    @CsvSource({"localhost:80:80, 400", "'', 400"})
    void answersAMalformedHostWithAProblem(String host, int status) throws IOException {
        try (var socket = new Socket("127.0.0.1", front.port())) {
            socket.setSoTimeout(ENDLESS_MILLIS);
            String request = "GET /v2 HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(host);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));

            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answer)
                    .startsWith("HTTP/1.1 " + status)
                    .contains("application/problem+json")
                    .contains("Host header");
        }
    }

    @Test
    void saysThatTheControlApiIsGone() throws Exception {
        try (Front before = Front.open(
                new InetSocketAddress("127.0.0.1", 0),
                HttpLimits.forBodies(1 << 20),
                new RequestGuard("127.0.0.1", Optional.empty()),
                NONE,
                1,
                "key")) {
            HttpResponse<String> gone = send(java.net.http.HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + before.port() + "/api/v1/functions")));

            assertThat(gone.statusCode()).isEqualTo(503);
            assertThat(gone.body()).contains("does not take connections");
        }
    }

    @Test
    void theControlApiKnowsItsFrontByTheKey() {
        var key = new FrontKey();
        assertThat(key.accepts(null)).isTrue();
        String value = key.enforce();
        assertThat(key.accepts(null)).isFalse();
        assertThat(key.accepts("guess")).isFalse();
        assertThat(key.accepts(value)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1048576, 268435456, 4096, 1024, 33554432", "700, 67108864, 222, 55, 16777216", "64, 0, 16, 8, 16777216"
    })
    void limitsFollowTheProcess(long descriptors, long heap, int connections, int ofClient, long buffered) {
        HttpLimits limits = FrontLimits.of(descriptors, heap);
        assertThat(limits.connections()).isEqualTo(connections);
        assertThat(limits.connectionsPerClient()).isEqualTo(ofClient);
        assertThat(limits.bufferedBytes()).isEqualTo(buffered);
    }
}
