package io.knabla.controller.texts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.knabla.functions.decoder.CharacterModel;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.setup.Stores;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small language model, packaged, served and called on the platform as people install it. */
class GenerationIT {
    private static final JsonMapper JSON = TextPlatform.JSON;
    private static final String ASK = """
            {"model": "default/writer", "prompt": "Hello", "max_tokens": 12, "temperature": 0.8, "seed": 7%s}
            """;

    @TempDir
    static Path folder;

    private static S3Server server;
    private static TextPlatform platform;

    @BeforeAll
    static void deploy() throws Exception {
        Path model = CharacterModel.write(folder.resolve("model"), 128);
        server = S3ProxyServer.start(Files.createDirectory(folder.resolve("buckets")));
        platform = new TextPlatform(Files.createDirectory(folder.resolve("home")), server.environment());
        HttpResponse<String> deployed = platform.deploy("writer", FunctionType.Generation, model);
        assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        if (platform != null) {
            platform.close();
        }
        server.close();
    }

    @Test
    void equalSeedsGiveEqualTextsWholeAndStreamed() throws Exception {
        JsonNode whole = JSON.readTree(
                platform.post("/v1/completions", ASK.formatted("")).body());
        String text = whole.at("/choices/0/text").asText();
        assertThat(text).as(whole.toString()).hasSize(12);
        assertThat(whole.at("/usage/prompt_tokens").asInt()).isEqualTo(5);
        assertThat(whole.at("/usage/completion_tokens").asInt()).isEqualTo(12);

        HttpResponse<String> streamed =
                platform.post("/functions/default/writer/v1/completions", ASK.formatted(", \"stream\": true"));
        assertThat(streamed.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
        assertThat(streamed.body().strip()).endsWith("data: [DONE]");
        var pieces = new StringBuilder();
        for (String line :
                streamed.body().lines().filter(it -> it.startsWith("data: {")).toList()) {
            pieces.append(JSON.readTree(line.substring("data: ".length()))
                    .at("/choices/0/text")
                    .asText());
        }
        assertThat(pieces.toString()).isEqualTo(text);
    }

    @Test
    void aFolderMayLieInABucket() throws Exception {
        String bucket = server.newBucket();
        try (ObjectStore store = Stores.open("s3://" + bucket, server.environment());
                Stream<Path> files = Files.list(folder.resolve("model"))) {
            for (Path file : files.toList()) {
                store.write(new ObjectKey("models/writer/" + file.getFileName()), Content.of(file));
            }
        }
        HttpResponse<String> deployed =
                platform.deployFromBucket("copied", FunctionType.Generation, "s3://" + bucket + "/models/writer/");
        assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(201);

        String copied = platform.post("/v1/completions", ASK.formatted("").replace("default/writer", "default/copied"))
                .body();
        String local = platform.post("/v1/completions", ASK.formatted("")).body();
        assertThat(JSON.readTree(copied).at("/choices"))
                .as(copied)
                .isEqualTo(JSON.readTree(local).at("/choices"));
    }

    @Test
    void aModelThatDraftsChangesNoText() throws Exception {
        Path small = CharacterModel.write(folder.resolve("small"), 128);
        HttpResponse<String> deployed = platform.deployWithDraft("drafting", folder.resolve("model"), small);
        assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(201);

        String ask = ASK.formatted("").replace("0.8", "0");
        String drafted = platform.post("/v1/completions", ask.replace("default/writer", "default/drafting"))
                .body();
        String plain = platform.post("/v1/completions", ask).body();
        assertThat(JSON.readTree(drafted).at("/choices/0/text").asText())
                .as(drafted)
                .hasSize(12)
                .isEqualTo(JSON.readTree(plain).at("/choices/0/text").asText());
    }

    @Test
    void anotherFunctionReadsThePrompts() throws Exception {
        HttpResponse<String> deployed = platform.deployWithPrefill("split", folder.resolve("model"), "reader");
        assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(201);
        assertThat(JSON.readTree(deployed.body()).path("warnings").toString())
                .contains("there is no function 'reader' in namespace default");
        platform.deploy("reader", FunctionType.Generation, folder.resolve("model"));

        assertThat(text("split", "What do you read? ".repeat(5)))
                .isEqualTo(text("writer", "What do you read? ".repeat(5)));
        assertThat(platform.get("/functions/default/split/metrics").body())
                .containsPattern("knabla_prefill_tokens_total\\{.*} 64\n")
                .containsPattern("knabla_prefill_failures_total\\{.*} 0\n");

        assertThat(platform.delete("/api/v1/functions/default/reader").statusCode())
                .isLessThan(300);
        assertThat(text("split", "And without it? ".repeat(6))).isEqualTo(text("writer", "And without it? ".repeat(6)));
    }

    private static String text(String function, String prompt) throws Exception {
        String body = JSON.createObjectNode()
                .put("model", "default/" + function)
                .put("prompt", prompt)
                .put("max_tokens", 12)
                .put("temperature", 0)
                .toString();
        JsonNode answer = JSON.readTree(platform.post("/v1/completions", body).body());
        assertThat(answer.at("/choices")).as(answer.toString()).hasSize(1);
        return answer.at("/choices/0/text").asText();
    }

    @Test
    void keysAndValuesOf8BitsAreMeasuredAtDeploy() throws Exception {
        HttpResponse<String> deployed = platform.deployWithInt8Cache("compact", folder.resolve("model"));
        assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(201);

        String ask = ASK.formatted("").replace("default/writer", "default/compact");
        JsonNode once = JSON.readTree(platform.post("/v1/completions", ask).body());
        JsonNode again = JSON.readTree(platform.post("/v1/completions", ask).body());
        assertThat(once.at("/choices/0/text").asText()).as(once.toString()).hasSize(12);
        assertThat(again.at("/choices")).isEqualTo(once.at("/choices"));
    }

    @Test
    void aFolderOfABucketLacksWhatIsNotThere() throws Exception {
        String bucket = server.newBucket();
        HttpResponse<String> refused =
                platform.deployFromBucket("nowhere", FunctionType.Generation, "s3://" + bucket + "/models/");

        assertThat(refused.statusCode()).as(refused.body()).isBetween(400, 422);
        assertThat(refused.body()).contains("there is no object 'models/config.json' in bucket " + bucket);
    }

    @Test
    void aChatIsWhatItsTemplateMakesOfIt() throws Exception {
        String settings = "\"model\": \"writer\", \"max_tokens\": 8, \"temperature\": 0";
        JsonNode chat = JSON.readTree(platform.post(
                        "/v1/chat/completions",
                        "{%s, \"messages\": [{\"role\": \"user\", \"content\": \"Hello\"}]}".formatted(settings))
                .body());
        JsonNode text =
                JSON.readTree(platform.post("/v1/completions", "{%s, \"prompt\": \"Hello\"}".formatted(settings))
                        .body());

        assertThat(chat.at("/choices/0/message/content").asText())
                .as(chat.toString())
                .isEqualTo(text.at("/choices/0/text").asText())
                .isNotEmpty();
    }

    @Test
    void refusalsNameWhatIsWrong() throws Exception {
        HttpResponse<String> many = platform.post(
                "/functions/default/writer/v1/completions",
                "{\"model\": \"writer\", \"prompt\": \"a\", \"n\": 1000, \"temperatur\": 1}");
        assertThat(many.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(many.body()).at("/error/message").asText()).contains("'n' is 1000", "temperature");

        HttpResponse<String> large = platform.post(
                "/functions/default/writer/v1/completions",
                "{\"model\": \"writer\", \"prompt\": \"%s\"}".formatted("a".repeat(1000)));
        assertThat(large.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(large.body()).at("/error/code").asText()).isEqualTo("context_length_exceeded");
    }

    @Test
    void aFolderThatCannotBePackagedIsRefused() throws Exception {
        Path broken = Files.createDirectory(folder.resolve("broken"));
        Files.writeString(broken.resolve("config.json"), "{\"architectures\": [\"Gpt9\"]}");
        HttpResponse<String> refused = platform.deploy("broken", FunctionType.Generation, broken);

        assertThat(refused.statusCode()).as(refused.body()).isBetween(400, 422);
        assertThat(JSON.readTree(refused.body()).path("faults").findValuesAsText("path"))
                .hasSizeGreaterThan(2)
                .containsOnly("spec.model");
        assertThat(refused.body()).contains("unknown architecture 'Gpt9'", "tokenizer.json", "model.safetensors");
    }
}
