package io.knabla.functions.decoder;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A small decoder of the resources, as src/test/python/decoders.py made it; its weights are computed, not stored. */
public record TestModel(String name, JsonNode config, JsonNode expected) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String TOKENIZER = """
            {"version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": null, "post_processor": null,
             "decoder": null,
             "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}}
            """;

    static Stream<TestModel> all() {
        return Stream.of(
                        "llama",
                        "llama3-rope",
                        "llama-biased-tied",
                        "mistral",
                        "qwen2",
                        "qwen2-window",
                        "qwen3",
                        "phi3",
                        "olmo2",
                        "gemma2",
                        "gemma3",
                        "gpt2",
                        "gpt2-scaled")
                .map(TestModel::of);
    }

    public static TestModel of(String name) {
        return new TestModel(name, json(name + "/config.json"), json(name + "/expected.json"));
    }

    /** What transformers answers to one prompt. */
    record Answer(List<Integer> prompt, List<Double> logits, List<Integer> tokens) {
        private static Answer of(JsonNode answer) {
            return new Answer(
                    integers(answer.get("prompt")),
                    stream(answer.get("logits")).map(JsonNode::doubleValue).toList(),
                    integers(answer.get("tokens")));
        }
    }

    List<Answer> answers() {
        return stream(expected.get("answers")).map(Answer::of).toList();
    }

    /** Weights by name, as 32-bit numbers. */
    List<Values> weights() {
        return HashedWeights.of(
                expected.get("shapes"), (float) expected.path("biases").asDouble(1));
    }

    /** Writes config.json, model.safetensors and a tokenizer.json that knows a few letters. */
    public Path write(Path folder) throws IOException {
        return write(folder, weights());
    }

    Path write(Path folder, List<Values> weights) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("config.json"), config.toPrettyString());
        Files.writeString(folder.resolve("tokenizer.json"), TOKENIZER);
        try (InputStream in =
                SafeTensors.content(weights, Map.of("format", "pt")).open()) {
            Files.copy(in, folder.resolve("model.safetensors"));
        }
        return folder;
    }

    /** Opens a folder that has no faults. */
    static ModelFolder open(Path folder) throws IOException {
        return switch (ModelFolder.open(folder)) {
            case ModelFolder.Opened.Model(var opened) -> opened;
            case ModelFolder.Opened.Refused(var faults) -> throw new AssertionError(faults);
        };
    }

    private static List<Integer> integers(JsonNode array) {
        return stream(array).map(JsonNode::intValue).toList();
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static JsonNode json(String file) {
        try (InputStream in = TestModel.class.getResourceAsStream("decoders/" + file)) {
            return JSON.readTree(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
