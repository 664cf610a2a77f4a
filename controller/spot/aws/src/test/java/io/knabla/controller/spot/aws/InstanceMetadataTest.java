package io.knabla.controller.spot.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Answers are those that AWS documents; the service itself is only on its instances. */
class InstanceMetadataTest {
    private static final String ACTION = "/latest/meta-data/spot/instance-action";
    private static final String REBALANCE = "/latest/meta-data/events/recommendations/rebalance";
    private static final String TOKEN = "token-of-imdsv2";

    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private HttpServer service;
    private InstanceMetadata metadata;

    @BeforeEach
    void open() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", this::answer);
        service.start();
        metadata = new InstanceMetadata(
                "this",
                Optional.of(
                        URI.create("http://127.0.0.1:" + service.getAddress().getPort())));
    }

    @AfterEach
    void close() {
        metadata.close();
        service.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (exchange.getRequestMethod().equals("PUT") && path.equals("/latest/api/token")) {
            exchange.getResponseHeaders().set("x-aws-ec2-metadata-token-ttl-seconds", "21600");
            send(exchange, 200, TOKEN);
        } else if (!TOKEN.equals(exchange.getRequestHeaders().getFirst("x-aws-ec2-metadata-token"))) {
            send(exchange, 401, "");
        } else {
            String body = answers.get(path);
            send(exchange, body == null ? 404 : 200, body == null ? "Not Found" : body);
        }
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Test
    void anInstanceWithoutAnnouncementsHasNoSignal() {
        assertThat(metadata.signal()).isEmpty();
    }

    @Test
    void aRecommendationIsFollowedByAWarning() {
        answers.put(REBALANCE, "{\"noticeTime\": \"2026-08-26T14:00:00Z\"}");
        assertThat(metadata.signal())
                .contains(
                        new CapacitySignal("this", Kind.REBALANCE_RECOMMENDED, Instant.parse("2026-08-26T15:00:00Z")));
        answers.put(ACTION, "{\"action\": \"terminate\", \"time\": \"2026-08-26T14:12:05Z\"}");
        assertThat(metadata.signal())
                .contains(new CapacitySignal("this", Kind.INTERRUPTION_WARNING, Instant.parse("2026-08-26T14:12:05Z")));
    }

    @Test
    void anAnswerThatIsNotDocumentedIsAFailure() {
        answers.put(ACTION, "<html>");
        assertThatThrownBy(metadata::signal)
                .isInstanceOf(SdkClientException.class)
                .hasMessageContaining("no JSON");
        answers.put(ACTION, "{}");
        assertThatThrownBy(metadata::signal)
                .isInstanceOf(SdkClientException.class)
                .hasMessageContaining("no time");
    }
}
