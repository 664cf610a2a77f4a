package io.knabla.storage.s3.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.knabla.storage.s3.proxy.Fault.Refused;
import io.knabla.storage.s3.proxy.Fault.S3Error;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests each fault with the HTTP server and client of the JDK. */
class FaultProxyTest {
    private final List<String> got = Collections.synchronizedList(new ArrayList<>());
    private final Queue<Fault> faults = new ArrayDeque<>();
    private final List<String> raced = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private FaultProxy proxy;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::echo);
        server.start();
        var address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        proxy = FaultProxy.start(
                address,
                _ -> faults.isEmpty() ? new Fault.None() : faults.remove(),
                head -> raced.add(head.method() + " " + head.target()));
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.stop(0);
        client.close();
    }

    /** Returns the received request and the number of requests so far. */
    private void echo(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes());
        got.add(body);
        byte[] answer = (got.size() + ":" + body).getBytes();
        boolean head = exchange.getRequestMethod().equals("HEAD");
        boolean chunked = exchange.getRequestURI().getPath().equals("/chunked");
        exchange.sendResponseHeaders(200, head ? -1 : chunked ? 0 : answer.length);
        if (!head) {
            exchange.getResponseBody().write(answer);
        }
        exchange.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/chunked"})
    void passesRequestsOfEveryFramingOnOneConnection(String path) throws Exception {
        assertThat(put(path, "x".repeat(100_000)).body()).isEqualTo("1:" + "x".repeat(100_000));
        var streamed = request(path)
                .PUT(BodyPublishers.fromPublisher(
                        BodyPublishers.ofByteArrays(List.of("ab".getBytes(), "cd".getBytes()))))
                .build();
        assertThat(client.send(streamed, BodyHandlers.ofString()).body()).isEqualTo("2:abcd");
        var patient = request(path)
                .expectContinue(true)
                .PUT(BodyPublishers.ofString("e"))
                .build();
        assertThat(client.send(patient, BodyHandlers.ofString()).body()).isEqualTo("3:e");
        var head = request(path).method("HEAD", BodyPublishers.noBody()).build();
        assertThat(client.send(head, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        assertThat(put(path, "").body()).isEqualTo("5:");
    }

    @Test
    void resetBeforeRequestNeverReachesTheServer() {
        faults.add(new Fault.ResetBeforeRequest());
        assertThatThrownBy(() -> put("/", "a")).isInstanceOf(IOException.class);
        assertThat(got).isEmpty();
    }

    @Test
    void resetMidRequestDeliversNoWholeBody() {
        faults.add(new Fault.ResetMidRequest(1));
        assertThatThrownBy(() -> put("/", "abc")).isInstanceOf(IOException.class);
        assertThat(got).isEmpty();
    }

    /** The server handles requests in sequence, so the truncated one before the next one. */
    @Test
    void resetMidRequestDeliversNoWholeHeader() throws Exception {
        faults.add(new Fault.ResetMidRequest(1));
        var delete = request("/").DELETE().build();
        assertThatThrownBy(() -> client.send(delete, BodyHandlers.ofString())).isInstanceOf(IOException.class);
        assertThat(put("/", "next").body()).isEqualTo("1:next");
    }

    @Test
    void lostResponseStillPerformsTheRequest() {
        faults.add(new Fault.ResponseLost());
        assertThatThrownBy(() -> put("/", "a")).isInstanceOf(IOException.class);
        assertThat(got).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void truncatesTheResponse(boolean reset) {
        faults.add(new Fault.Truncated(0.9, reset));
        assertThatThrownBy(() -> put("/", "a".repeat(5_000))).isInstanceOf(IOException.class);
        assertThat(got).hasSize(1);
    }

    @Test
    void returnsS3ErrorsBeforeOrAfterTheRequest() throws Exception {
        faults.add(new Refused(S3Error.SLOW_DOWN, OptionalInt.of(2), false));
        faults.add(new Refused(S3Error.INTERNAL_ERROR, OptionalInt.empty(), true));

        HttpResponse<String> busy = put("/", "a");
        HttpResponse<String> broken = put("/", "b");

        assertThat(busy.statusCode()).isEqualTo(503);
        assertThat(busy.body()).contains("<Code>SlowDown</Code>");
        assertThat(busy.headers().firstValue("Retry-After")).contains("2");
        assertThat(broken.statusCode()).isEqualTo(500);
        assertThat(broken.headers().firstValue("Retry-After")).isEmpty();
        assertThat(got).containsExactly("b");
    }

    @Test
    void letsAnotherWriterGoFirst() throws Exception {
        faults.add(new Fault.Race());
        assertThat(put("/key", "a").body()).isEqualTo("1:a");
        assertThat(raced).containsExactly("PUT /key");
    }

    @Test
    void duplicatesTheRequestAndReturnsEitherResponse() throws Exception {
        faults.add(new Fault.Duplicate(false));
        faults.add(new Fault.Duplicate(true));
        assertThat(put("/", "a").body()).isEqualTo("1:a");
        assertThat(put("/", "b").body()).isEqualTo("4:b");
    }

    @Test
    void slowAnswersArriveWhole() throws Exception {
        faults.add(new Fault.Trickle(7, Duration.ofMillis(1)));
        faults.add(new Fault.Latency(Duration.ofMillis(1)));
        assertThat(put("/", "a".repeat(999)).body()).isEqualTo("1:" + "a".repeat(999));
        assertThat(put("/chunked", "b").body()).isEqualTo("2:b");
    }

    @Test
    void oneSeedGivesOneSequence() {
        var head = new MessageHead("GET / HTTP/1.1", List.of());
        List<SeededFaults.Kind> all = List.of(SeededFaults.Kind.values());
        var one = new SeededFaults(42, 0.5, all);
        var two = new SeededFaults(42, 0.5, all);
        for (int i = 0; i < 1_000; i++) {
            assertThat(one.next(head)).isEqualTo(two.next(head));
        }
        assertThat(one.counts()).containsOnlyKeys(SeededFaults.Kind.values());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(proxy.endpoint().resolve(path));
    }

    private HttpResponse<String> put(String path, String body) throws Exception {
        return client.send(request(path).PUT(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }
}
