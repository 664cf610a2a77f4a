package io.knabla.runtime.tesseract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.knabla.runtime.json.Json;
import io.knabla.runtime.json.JsonTree;
import io.knabla.runtime.units.AnalyticModels;
import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replays requests of Tesseract's own client and compares the answers, which
 * {@code src/test/python/tesseract_client.py} checked and recorded.
 */
class TesseractEndpointsReplayTest {
    private static TestUnit unit;
    private static TestReplica replica;

    @BeforeAll
    static void start() throws Exception {
        unit = AnalyticModels.tanh();
        replica = new TestReplica(unit);
    }

    @AfterAll
    static void stop() throws Exception {
        replica.close();
        unit.close();
    }

    record Exchange(int number, Map<String, Json> fields) {
        String text(String field) {
            return fields.get(field) instanceof Json.Text(var text) ? text : null;
        }

        int status() {
            return (int) ((Json.Numbers) fields.get("status")).all().real(0);
        }

        @Override
        public String toString() {
            return number + " " + text("path") + " " + text("accept");
        }
    }

    static Stream<Exchange> exchanges() throws Exception {
        try (var in = TesseractEndpointsReplayTest.class.getResourceAsStream("/tesseract/exchanges.jsonl")) {
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(lines).hasSize(20);
            return java.util.stream.IntStream.range(0, lines.size())
                    .mapToObj(i -> new Exchange(i, ((Json.Fields) parse(lines.get(i))).byName()));
        }
    }

    static Json parse(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return JsonTree.read(bytes, bytes.length, true);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("exchanges")
    void matchesRecordedAnswer(Exchange exchange) throws Exception {
        String body = exchange.text("request");
        var request = replica.request(exchange.text("path"))
                .header("Content-Type", "application/json")
                .method(
                        exchange.text("method"),
                        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (exchange.text("accept") != null) {
            request.header("Accept", exchange.text("accept"));
        }
        HttpResponse<String> answer = replica.send(request);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(exchange.status());
        assertThat(answer.headers().firstValue("Content-Type")).contains(exchange.text("type"));
        assertAlike(parse(answer.body()), parse(exchange.text("answer")), "answer");
    }

    /** Asserts equality up to the last digits of numbers, in base64 too. */
    private static void assertAlike(Json actual, Json expected, String where) {
        assertThat(actual).as(where).hasSameClassAs(expected);
        switch (expected) {
            case Json.Fields(var fields) -> {
                var found = ((Json.Fields) actual).byName();
                assertThat(found.keySet()).as(where).containsExactlyElementsOf(fields.keySet());
                boolean base64 = fields.get("encoding") instanceof Json.Text(var encoding) && encoding.equals("base64");
                fields.forEach((name, value) -> {
                    if (base64 && name.equals("buffer")) {
                        assertThat(floats(found.get(name))).as(where).containsExactly(floats(value), offset(1e-6f));
                    } else {
                        assertAlike(found.get(name), value, where + "." + name);
                    }
                });
            }
            case Json.Items(var items) -> {
                var found = ((Json.Items) actual).items();
                assertThat(found).as(where).hasSameSizeAs(items);
                for (int i = 0; i < items.size(); i++) {
                    assertAlike(found.get(i), items.get(i), where + "." + i);
                }
            }
            case Json.Numbers numbers -> {
                var found = (Json.Numbers) actual;
                assertThat(found.shape()).as(where).isEqualTo(numbers.shape());
                for (int i = 0; i < numbers.count(); i++) {
                    assertThat(found.all().real(found.from() + i))
                            .as(where)
                            .isCloseTo(numbers.all().real(numbers.from() + i), offset(1e-6));
                }
            }
            case Json.Text _, Json.Null _ -> assertThat(actual).as(where).isEqualTo(expected);
        }
    }

    private static float[] floats(Json text) {
        byte[] bytes = Base64.getDecoder().decode(((Json.Text) text).text());
        float[] floats = new float[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(floats);
        return floats;
    }
}
