package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FailureLogTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String FAILS = "{'inputs':[{'name':'i','datatype':'INT64','shape':[1],'data':[0]}]}";

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    /** In a second of which no other test has used up the lines. */
    @BeforeEach
    void watch() {
        Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        await().pollInterval(Duration.ofMillis(10)).until(() -> Instant.now().isAfter(began.plusSeconds(1)));
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void stopWatching() {
        System.setErr(before);
    }

    @Test
    void theIdOfAFailedRequestIsInItsLineAndInItsAnswer() throws Exception {
        HttpResponse<String> answer = answer("X-Request-Id", "r-1", "traceparent", PARENT);

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.headers().allValues("X-Request-Id")).containsExactly("r-1");
        assertThat(answer.headers().allValues("traceparent")).containsExactly(PARENT);
        assertThat(logged(answer)).contains("request r-1, trace 0af7651916cd43dd8448eb211c80319c: the engine failed");
    }

    @Test
    void aHostileIdIsInNeither() throws Exception {
        HttpResponse<String> answer = answer("X-Request-Id", "x".repeat(5000), "traceparent", "00-{evil}");

        assertThat(answer.headers().firstValue("X-Request-Id").orElseThrow()).matches("[0-9a-f]{32}");
        assertThat(logged(answer)).doesNotContain("xxx", "evil");
    }

    /** The line of the answer's request. */
    private String logged(HttpResponse<String> answer) {
        String id = answer.headers().firstValue("X-Request-Id").orElseThrow();
        return log.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("failed on request " + id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCauseIsOneShortLine() {
        assertThat(FailureLog.line("a\r\nb\u001b[31m")).isEqualTo("a b [31m");
        assertThat(FailureLog.line("x".repeat(1000))).hasSize(501);
    }

    private static HttpResponse<String> answer(String... headers) throws Exception {
        var dividesByInput = new Onnx()
                .input("i", ElementType.INT64, "n")
                .output("y", ElementType.INT64, "n")
                .constant("five", 5)
                .node("Div", List.of("five", "i"), "y");
        try (var m = new RunningReplica(dividesByInput.build(), RunningReplica.PLAIN)) {
            return m.client()
                    .send(
                            m.request("/v2/models/m/infer")
                                    .headers(headers)
                                    .POST(RunningReplica.body(FAILS))
                                    .build(),
                            BodyHandlers.ofString());
        }
    }
}
