package io.knabla.controller.training;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.kill.PlatformProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trains a language model over HTTP, exports its weights under Hugging Face's names, and lets them write. */
class CharactersTrainingIT {
    private static final String TRAINED = "characters-training";
    private static final int STEPS = 40;
    private static final int CONTEXT = 128;
    private static final int ROWS = 8;

    @TempDir
    static Path home;

    private static PlatformProcess platform;
    private static FunctionClient functions;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws IOException {
        platform = PlatformProcess.start(home);
        functions = new FunctionClient(platform.address());
        functions.deploySample(TRAINED);
    }

    @AfterAll
    static void stop() {
        platform.close();
    }

    @Test
    void learnsMoreThanHowFrequentCharactersAreAndWrites() throws IOException {
        String text = Files.readString(FunctionClient.SAMPLES.resolve(TRAINED).resolve("sonnets.txt"));
        double last = Double.NaN;
        for (int step = 0; step < STEPS; step++) {
            JsonNode answer = functions.infer(TRAINED, request(text, step));
            last = FunctionClient.numbers(FunctionClient.output(answer, "loss"))[0];
        }
        assertThat(last).isLessThan(entropy(text) - 0.3);

        Path sample = copyOfSample();
        functions.knabla(
                "export",
                TRAINED,
                "-o",
                sample.resolve("model/model.safetensors").toString());
        functions.knabla("deploy", "-f", sample.resolve("function.yaml").toString());

        String written = write();
        assertThat(written).hasSize(60).isEqualTo(write());
        assertThat(wordShare(written)).as(written).isGreaterThan(0.6);
        theModelOfATextFunctionIsRefused();
    }

    private static void theModelOfATextFunctionIsRefused() {
        HttpResponse<String> refused = weights("characters", 1);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("version 1 of default/characters has type Generation", "TrainingStep");
    }

    @Test
    void thereAreNoWeightsOfAnUnknownVersion() {
        HttpResponse<String> unknown = weights(TRAINED, 9);

        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("has no version '9'");
    }

    private static HttpResponse<String> weights(String function, int version) {
        return functions.send(
                "GET",
                "/api/v1/functions/default/%s/versions/%d/weights".formatted(function, version),
                BodyPublishers.noBody());
    }

    /** Greedy, so that it is the same each time. */
    private static String write() {
        return FunctionClient.good(functions.post("/v1/completions", """
                        {"model": "characters", "prompt": "Shall I ", "max_tokens": 60, "temperature": 0}
                        """))
                .at("/choices/0/text")
                .asText();
    }

    /** The share of lower-case letters and spaces, of which random weights write about a quarter. */
    private static double wordShare(String text) {
        return text.chars().filter(c -> c == ' ' || c >= 'a' && c <= 'z').count() / (double) text.length();
    }

    /** Of the characters of a text, in nats: the least loss of a guess that knows only how frequent each is. */
    private static double entropy(String text) {
        return text.chars().boxed().collect(Collectors.groupingBy(c -> c, Collectors.counting())).values().stream()
                .mapToDouble(count -> count / (double) text.length())
                .map(share -> -share * Math.log(share))
                .sum();
    }

    private Path copyOfSample() throws IOException {
        Path model = Files.createDirectories(folder.resolve("characters/model"));
        for (String file :
                List.of("function.yaml", "model/config.json", "model/tokenizer.json", "model/tokenizer_config.json")) {
            Files.copy(
                    FunctionClient.SAMPLES.resolve("characters").resolve(file),
                    model.getParent().resolve(file));
        }
        return model.getParent();
    }

    /** The pieces of the text that batches.sh takes for this step. */
    private static String request(String text, int step) {
        var characters = new StringBuilder();
        var next = new StringBuilder();
        for (int row = 0; row < ROWS; row++) {
            int at = (step * ROWS + row) * 383 % (text.length() - CONTEXT);
            append(characters, text.substring(at, at + CONTEXT));
            append(next, text.substring(at + 1, at + 1 + CONTEXT));
        }
        return """
                {"inputs": [{"name": "characters", "datatype": "INT64", "shape": [8, 128], "data": [%s]},
                            {"name": "next", "datatype": "INT64", "shape": [8, 128], "data": [%s]}],
                 "outputs": [{"name": "loss"}]}
                """.formatted(characters, next);
    }

    private static void append(StringBuilder tokens, String piece) {
        for (char character : piece.toCharArray()) {
            tokens.append(tokens.isEmpty() ? "" : ",").append(character == '\n' ? 95 : character - ' ');
        }
    }
}
