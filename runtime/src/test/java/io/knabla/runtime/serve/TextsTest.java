package io.knabla.runtime.serve;

import static io.knabla.functions.compiler.onnx.ElementType.STRING;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.google.protobuf.ByteString;
import io.knabla.functions.Onnx;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.shm.SharedRegions;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts reach the engine and come back in plain UTF-8, whatever way they are sent. */
@Timeout(300)
class TextsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<String> WORDS = LabelModel.WORDS;

    private static String request(List<String> texts, String outputs) {
        ArrayNode data = JSON.createArrayNode();
        texts.forEach(data::add);
        return "{\"inputs\":[{\"name\":\"s\",\"datatype\":\"BYTES\",\"shape\":[%d],\"data\":%s}]%s}"
                .formatted(texts.size(), data, outputs);
    }

    private static HttpResponse<String> post(RunningReplica replica, String path, String json) throws Exception {
        return replica.client()
                .send(replica.request(path).POST(BodyPublishers.ofString(json)).build(), BodyHandlers.ofString());
    }

    private static List<String> texts(JsonNode data) {
        var texts = new ArrayList<String>();
        data.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private static void check(JsonNode answer, List<Integer> numbers) {
        List<String> words = numbers.stream().map(WORDS::get).toList();
        assertThat(JSON.convertValue(answer.at("/outputs/0/data"), Integer[].class))
                .as(answer.toString())
                .containsExactlyElementsOf(numbers);
        assertThat(texts(answer.at("/outputs/1/data"))).isEqualTo(words);
        assertThat(texts(answer.at("/outputs/2/data"))).isEqualTo(words);
    }

    private static List<Integer> all() {
        return IntStream.range(0, WORDS.size()).boxed().toList();
    }

    @Test
    void inJson() throws Exception {
        try (var replica = new RunningReplica(LabelModel.model(), RunningReplica.PLAIN)) {
            check(
                    JSON.readTree(post(replica, "/v2/models/m/infer", request(WORDS, ""))
                            .body()),
                    all());
            for (int i : all()) {
                String alone = request(List.of(WORDS.get(i)), "");
                check(JSON.readTree(post(replica, "/v2/models/m/infer", alone).body()), List.of(i));
            }
            assertThat(post(replica, "/v2/models/m/infer", request(List.of(), ""))
                            .body())
                    .contains("\"shape\":[0]");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/v2/models/m/infer, '{\"inputs\":[{\"name\":\"s\",\"datatype\":\"BYTES\",\"shape\":[1],\"data\":[\"\\ud83d\"]}]}'",
        "/v1/models/m:predict, '{\"instances\":[\"\\ud83d\"]}'",
        "/v1/models/m:predict, '{\"instances\":[\"a\\ude00b\"]}'"
    })
    void halfOfASurrogatePairIsNoText(String path, String json) throws Exception {
        try (var replica = new RunningReplica(TestModels.identity(STRING), RunningReplica.PLAIN)) {
            HttpResponse<String> answer = post(replica, path, json.replace("\"s\"", "\"x\""));

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("half of a surrogate pair");
        }
    }

    @Test
    void asEscapes() throws Exception {
        try (var replica = new RunningReplica(LabelModel.model(), RunningReplica.PLAIN)) {
            String json = request(List.of("ONE", "TWO"), "")
                    .replace("ONE", "\\ud83d\\ude00\\ud83d\\udc69\\u200d\\ud83d\\udc69\\u200d\\ud83d\\udc67")
                    .replace("TWO", "a\\u0000b");

            check(JSON.readTree(post(replica, "/v2/models/m/infer", json).body()), List.of(3, 5));
        }
    }

    @Test
    void inBinary() throws Exception {
        byte[] data = LabelModel.binary(WORDS);
        byte[] head =
                "{\"inputs\":[{\"name\":\"s\",\"datatype\":\"BYTES\",\"shape\":[%d],\"parameters\":{\"binary_data_size\":%d}}],\"outputs\":[{\"name\":\"i\"},{\"name\":\"back\",\"parameters\":{\"binary_data\":true}},{\"name\":\"same\",\"parameters\":{\"binary_data\":true}}]}"
                        .formatted(WORDS.size(), data.length)
                        .getBytes(StandardCharsets.UTF_8);
        var body = new ByteArrayOutputStream();
        body.writeBytes(head);
        body.writeBytes(data);
        try (var replica = new RunningReplica(LabelModel.model(), RunningReplica.PLAIN)) {
            HttpResponse<byte[]> answer = replica.infer(body.toByteArray(), head.length);

            int json = Integer.parseInt(answer.headers()
                    .firstValue("Inference-Header-Content-Length")
                    .orElseThrow());
            JsonNode numbers = JSON.readTree(answer.body(), 0, json).at("/outputs/0/data");
            assertThat(JSON.convertValue(numbers, Integer[].class)).containsExactlyElementsOf(all());
            var expected = new ByteArrayOutputStream();
            expected.writeBytes(data);
            expected.writeBytes(data);
            assertThat(Arrays.copyOfRange(answer.body(), json, answer.body().length))
                    .isEqualTo(expected.toByteArray());
        }
    }

    @Test
    void inPredictions() throws Exception {
        ArrayNode instances = JSON.createArrayNode();
        WORDS.forEach(instances::add);
        try (var replica = new RunningReplica(LabelModel.model(), RunningReplica.PLAIN)) {
            JsonNode answer = JSON.readTree(post(replica, "/v1/models/m:predict", "{\"instances\":" + instances + "}")
                    .body());
            for (int i : all()) {
                JsonNode row = answer.path("predictions").path(i);
                assertThat(row.path("i").asInt()).isEqualTo(i);
                assertThat(row.path("back").asText()).isEqualTo(WORDS.get(i));
                assertThat(row.path("same").asText()).isEqualTo(WORDS.get(i));
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void inSharedMemory() throws Exception {
        byte[] data = LabelModel.binary(WORDS);
        String key = "knabla-test-" + UUID.randomUUID();
        Path object = Path.of("/dev/shm", key);
        Files.write(object, Arrays.copyOf(data, 2 * data.length));
        try (var replica = RunningReplica.withSharedMemory(LabelModel.model())) {
            post(
                    replica,
                    SharedRegions.PATH + "/region/r/register",
                    "{\"key\":\"/%s\",\"offset\":0,\"byte_size\":%d}".formatted(key, 2 * data.length));
            String request =
                    "{'inputs':[{'name':'s','datatype':'BYTES','shape':[%1$d],'parameters':{'shared_memory_region':'r','shared_memory_byte_size':%2$d}}],'outputs':[{'name':'i'},{'name':'back','parameters':{'shared_memory_region':'r','shared_memory_offset':%2$d,'shared_memory_byte_size':%2$d}}]}"
                            .formatted(WORDS.size(), data.length);
            JsonNode answer = JSON.readTree(replica.infer(request).body());

            assertThat(JSON.convertValue(answer.at("/outputs/0/data"), Integer[].class))
                    .as(answer.toString())
                    .containsExactlyElementsOf(all());
            byte[] written = Files.readAllBytes(object);
            assertThat(Arrays.copyOfRange(written, data.length, written.length)).isEqualTo(data);
        } finally {
            Files.delete(object);
        }
    }

    @Test
    void inBatches() throws Exception {
        var settings = new EngineSettings(2, 100, Duration.ofSeconds(20), 8, Duration.ofMillis(2), 1);
        try (var replica = new RunningReplica(LabelModel.model(), settings);
                var callers = Executors.newFixedThreadPool(8)) {
            List<Callable<JsonNode>> calls = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                String json = request(List.of(WORDS.get(i % WORDS.size())), "");
                calls.add(() ->
                        JSON.readTree(post(replica, "/v2/models/m/infer", json).body()));
            }
            List<Future<JsonNode>> answers = callers.invokeAll(calls);
            for (int i = 0; i < answers.size(); i++) {
                check(answers.get(i).get(), List.of(i % WORDS.size()));
            }
        }
    }

    private static TensorProto tensor(String name, byte[]... texts) {
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setName(name)
                .setDataType(STRING.number())
                .addDims(texts.length);
        for (byte[] text : texts) {
            tensor.addStringData(ByteString.copyFrom(text));
        }
        return tensor.build();
    }

    @Test
    void asInitializers() throws Exception {
        ModelProto model = new Onnx()
                .input("s", STRING, "n")
                .initializer(tensor(
                        "k",
                        WORDS.stream()
                                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                                .toArray(byte[][]::new)))
                .output("k", STRING, WORDS.size())
                .build();
        try (var replica = new RunningReplica(model, RunningReplica.PLAIN)) {
            JsonNode answer = JSON.readTree(
                    post(replica, "/v2/models/m/infer", request(WORDS, "")).body());

            assertThat(texts(answer.at("/outputs/0/data"))).isEqualTo(WORDS);
        }
    }

    @Test
    void bytesOfAModelThatAreNoTextAreAnsweredInBinary() throws Exception {
        byte[] latin = "grüß".getBytes(StandardCharsets.ISO_8859_1);
        ModelProto model = new Onnx()
                .input("s", STRING, "n")
                .initializer(tensor("k", latin))
                .output("k", STRING, 1)
                .build();
        try (var replica = new RunningReplica(model, RunningReplica.PLAIN)) {
            HttpResponse<String> refused = post(replica, "/v2/models/m/infer", request(WORDS, ""));
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("output 'k' has a text at element 0 that is not UTF-8", "binary_data");

            byte[] asked = request(WORDS, ",\"parameters\":{\"binary_data_output\":true}")
                    .getBytes(StandardCharsets.UTF_8);
            byte[] answer = replica.infer(asked, asked.length).body();
            assertThat(Arrays.copyOfRange(answer, answer.length - latin.length, answer.length))
                    .isEqualTo(latin);
        }
    }
}
