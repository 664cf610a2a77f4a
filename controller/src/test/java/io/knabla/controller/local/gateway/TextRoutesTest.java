package io.knabla.controller.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls in OpenAI's form, at the platform's root and at a function's. */
@Timeout(300)
class TextRoutesTest {
    private static final String CHAT = "/v1/chat/completions";

    @TempDir
    Path home;

    private GatewayFixture knabla;

    @BeforeEach
    void open() throws Exception {
        knabla = new GatewayFixture(home, new GatewaySettings(16 << 20, 1 << 20, 32 << 20, 3));
        deployWriter("writer", "30s");
        knabla.deploy("adder", Specs.inference());
    }

    private void deployWriter(String name, String timeout) {
        deploy(name, "timeout: " + timeout);
    }

    private void deploy(String name, String keys) {
        Parsed parsed = FunctionYaml.parse("""
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: %s}
                spec: {type: Generation, model: folder/, %s}
                """.formatted(name, keys));
        FunctionSpec spec = ((Parsed.Valid) parsed).resource().spec();
        Version version = new Version(1, spec, Specs.digest(1), Specs.digest(1), Instant.ofEpochSecond(12));
        knabla.deploy(new FunctionRecord(Specs.id(name), List.of(version), List.of(), ""));
    }

    @AfterEach
    void close() {
        knabla.close();
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return knabla.send(HttpRequest.newBuilder(knabla.uri(path)).POST(BodyPublishers.ofString(body)));
    }

    private JsonNode get(String path) throws Exception {
        return new JsonMapper()
                .readTree(knabla.send(HttpRequest.newBuilder(knabla.uri(path))).body());
    }

    private static JsonNode error(HttpResponse<String> answer) throws Exception {
        return new JsonMapper().readTree(answer.body()).path("error");
    }

    @ParameterizedTest
    @ValueSource(strings = {"writer", "default/writer"})
    void theBodyNamesTheFunction(String model) throws Exception {
        HttpResponse<String> answer =
                post(CHAT, "{\"messages\": [{\"model\": \"other\"}], \"model\": \"" + model + "\", \"n\": 1}");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Knabla-Version")).contains("1");
    }

    @Test
    void aFunctionsRootNeedsNoName() throws Exception {
        assertThat(post("/functions/default/writer" + CHAT, "{}").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/embeddings", "/rerank", "/v1/rerank"})
    void soItIsForTextsThatAreRead(String path) throws Exception {
        assertThat(post(path, "{\"model\": \"writer\"}").statusCode()).isEqualTo(200);
        assertThat(error(post(path, "{}")).path("message").asText()).contains("write \"model\": \"NAME\"");
    }

    @Test
    void refusalsHaveTheFormThatClientsRead() throws Exception {
        HttpResponse<String> unknown = post("/v1/completions", "{\"model\": \"writr\"}");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(error(unknown).path("code").asText()).isEqualTo("model_not_found");
        assertThat(error(unknown).path("message").asText()).contains("did you mean writer?");

        HttpResponse<String> nameless = post("/tokenize", "{\"prompt\": \"a\"}");
        assertThat(nameless.statusCode()).isEqualTo(400);
        assertThat(error(nameless).path("message").asText()).contains("write \"model\": \"NAME\"");
        assertThat(error(nameless).path("type").asText()).isEqualTo("invalid_request_error");

        assertThat(post("/v1/completions", "[").statusCode()).isEqualTo(400);
        assertThat(get(CHAT).at("/error/message").asText()).contains("use POST here");
    }

    @ParameterizedTest
    @ValueSource(strings = {CHAT, "/functions/default/writer" + CHAT})
    void aBodyThatIsTooLargeIsRefusedInThatForm(String path) throws Exception {
        assertTooLarge(path, BodyPublishers.ofByteArray(new byte[32 << 20]));
    }

    @Test
    void soIsOneWhoseLengthIsNotDeclared() throws Exception {
        assertTooLarge(CHAT, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[2 << 20])));
    }

    private void assertTooLarge(String path, BodyPublisher body) throws Exception {
        HttpResponse<String> refused =
                knabla.send(HttpRequest.newBuilder(knabla.uri(path)).POST(body));

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(413);
        assertThat(error(refused).path("message").asText()).contains("the body is larger than");
    }

    private HttpRequest.Builder stream(String name) {
        return stream(name, "stream");
    }

    private HttpRequest.Builder stream(String name, String order) {
        return HttpRequest.newBuilder(knabla.uri("/functions/default/" + name + CHAT))
                .header("Standin-Do", order)
                .POST(BodyPublishers.ofString("{\"messages\": [], \"stream\": true}"));
    }

    @Test
    void aStreamThatWaitsForItsReplicaBeginsBefore() throws Exception {
        deployWriter("gated-writer", "30s");

        HttpResponse<InputStream> begun =
                knabla.client.send(stream("gated-writer").build(), BodyHandlers.ofInputStream());
        assertThat(begun.headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(begun.headers().firstValue("Knabla-Start")).contains("cold");
        try (InputStream body = begun.body()) {
            assertThat(body.read()).isEqualTo(':');
            Files.createFile(home.resolve("cache/gate"));
            assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).endsWith("\n\ndata: piece\n\n");
        }
    }

    /** Its timeout is longer than this test may take. */
    @Test
    void aStreamThatFallsSilentIsCutOff() throws Exception {
        deploy("silent", "timeout: 1h, generation: {streamIdleTimeout: 200ms}");

        HttpResponse<InputStream> begun =
                knabla.client.send(stream("silent", "fall-silent").build(), BodyHandlers.ofInputStream());

        try (InputStream body = begun.body()) {
            assertThat(begun.statusCode()).isEqualTo(200);
            assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
        }
    }

    @Test
    void whatFailsBehindTheHeadIsAnEvent() throws Exception {
        deployWriter("stuck-writer", "1s");

        HttpResponse<String> failed = knabla.send(stream("stuck-writer"));

        assertThat(failed.statusCode()).isEqualTo(200);
        String event = failed.body()
                .lines()
                .filter(line -> line.startsWith("data: "))
                .findFirst()
                .orElseThrow();
        assertThat(new JsonMapper()
                        .readTree(event.substring("data: ".length()))
                        .at("/error/message")
                        .asText())
                .contains("no answer within 1000 ms");
    }

    @Test
    void anErrorToAnInferenceClientKeepsTheFormOfItsProtocol() throws Exception {
        deployWriter("stuck-writer", "1s");

        HttpResponse<String> failed = post("/v2/models/stuck-writer/infer", "{}");

        assertThat(failed.statusCode()).isEqualTo(504);
        assertThat(error(failed).textValue()).contains("no answer within 1000 ms");
    }

    @Test
    void listsModelsForClientsOfBothKinds() throws Exception {
        JsonNode all = get("/v1/models");
        assertThat(all.path("models").toString()).isEqualTo("[\"adder\",\"writer\"]");
        assertThat(all.path("object").asText()).isEqualTo("list");
        assertThat(all.at("/data/1").toString())
                .isEqualTo("{\"id\":\"writer\",\"object\":\"model\",\"created\":12,\"owned_by\":\"knabla\"}");

        assertThat(get("/functions/default/writer/v1/models").path("data").findValuesAsText("id"))
                .containsExactly("writer");
    }

    @Test
    void aTextHasNoTensors() throws Exception {
        HttpResponse<String> answer = knabla.send(HttpRequest.newBuilder(knabla.uri("/v2/models/writer")));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("default/writer is called with texts and has no tensors; call POST " + CHAT);
    }
}
