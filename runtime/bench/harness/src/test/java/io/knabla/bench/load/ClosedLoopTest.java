package io.knabla.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.knabla.bench.wire.Call;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {
    static final Duration WINDOW = Duration.ofMillis(300);

    final AtomicLong requests = new AtomicLong();
    final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    HttpServer server;
    volatile String body = "right";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(workers);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        workers.close();
    }

    Call call() {
        String http = "POST /x HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\nhi";
        return new Call(
                server.getAddress(),
                http.getBytes(StandardCharsets.US_ASCII),
                answer -> new String(answer.body(), StandardCharsets.US_ASCII).equals("right"));
    }

    @Test
    void countsEveryAnswerOnEveryConnection() {
        LoadResult result = ClosedLoop.run(call(), 4, WINDOW);

        long counted = result.latencies().total();
        // Requests in flight at the end of the window were sent but not counted.
        assertThat(counted).isPositive().isBetween(requests.get() - 4, requests.get());
        assertThat(result.perSecond()).isEqualTo(counted / result.seconds());
        assertThat(result.latencies().millis(0.5)).isPositive();
    }

    @Test
    void wrongAnswerEndsTheRun() {
        body = "wrong";

        assertThatThrownBy(() -> ClosedLoop.run(call(), 2, WINDOW))
                .rootCause()
                .hasMessageContaining("a wrong answer under load")
                .hasMessageContaining("wrong");
    }

    @Test
    void connectionFailureNamesThePort() {
        Call call = call();
        server.stop(0);

        assertThatThrownBy(() -> ClosedLoop.run(call, 1, WINDOW))
                .hasMessageContaining(String.valueOf(call.address().getPort()));
    }
}
