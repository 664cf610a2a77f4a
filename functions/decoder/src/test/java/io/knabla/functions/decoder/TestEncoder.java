package io.knabla.functions.decoder;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.knabla.functions.decoder.folder.EncoderFolder;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A small encoder of the resources, as src/test/python/encoders.py made it; its weights are computed, not stored. */
public record TestEncoder(String name, JsonNode expected) {
    private static final List<String> FILES = List.of(
            "config.json",
            "tokenizer.json",
            "tokenizer_config.json",
            "modules.json",
            "1_Pooling/config.json",
            "2_Dense/config.json",
            "3_Dense/config.json",
            "4_Dense/config.json",
            "config_sentence_transformers.json",
            "sentence_bert_config.json");

    static Stream<TestEncoder> all() {
        return Stream.of(
                        "bert",
                        "bert-max",
                        "roberta",
                        "xlm-roberta",
                        "bert-score",
                        "roberta-score",
                        "xlm-roberta-score",
                        "mpnet",
                        "mpnet-score",
                        "distilbert",
                        "distilbert-score",
                        "bert-dense",
                        "distilbert-dense",
                        "bert-prompt",
                        "roberta-prompt",
                        "mpnet-prompt",
                        "modernbert",
                        "modernbert-biased",
                        "modernbert-score")
                .map(TestEncoder::of);
    }

    public static TestEncoder of(String name) {
        try (InputStream in = resource(name + "/expected.json")) {
            return new TestEncoder(name, new JsonMapper().readTree(in));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * What sentence-transformers answers to one input.
     *
     * @param texts one, or two for a score
     * @param prompt name of the one before the text; none, not the default one, without it
     * @param ids of the tokens, those that the tokenizer adds included
     * @param output the vector, or the score
     */
    public record Answer(List<String> texts, Optional<String> prompt, int[] ids, double[] output) {}

    /** In the order of the inputs. */
    public List<Answer> answers() {
        return Stream.iterate(0, i -> i < expected.get("inputs").size(), i -> i + 1)
                .map(i -> new Answer(
                        texts(expected.get("inputs").get(i)),
                        Optional.ofNullable(expected.path("prompts").path(i).textValue()),
                        items(expected.get("ids").get(i))
                                .mapToInt(JsonNode::intValue)
                                .toArray(),
                        items(expected.get("outputs").get(i))
                                .mapToDouble(JsonNode::doubleValue)
                                .toArray()))
                .toList();
    }

    private static List<String> texts(JsonNode input) {
        return input.isTextual()
                ? List.of(input.textValue())
                : items(input).map(JsonNode::textValue).toList();
    }

    private static Stream<JsonNode> items(JsonNode array) {
        return array.valueStream();
    }

    /** Weights by name, as 32-bit numbers. */
    List<Values> weights() {
        return HashedWeights.of(expected.get("shapes"));
    }

    /** Writes the folder as the hub would have it. */
    public Path write(Path folder) throws IOException {
        return write(folder, weights());
    }

    Path write(Path folder, List<Values> weights) throws IOException {
        for (String file : FILES) {
            try (InputStream in = resource(name + "/" + file)) {
                if (in != null) {
                    Files.createDirectories(folder.resolve(file).getParent());
                    Files.copy(in, folder.resolve(file));
                }
            }
        }
        Map<String, List<Values>> files = weights.stream()
                .collect(Collectors.groupingBy(it -> module(it.spec().name())));
        for (var file : files.entrySet()) {
            List<Values> own = file.getValue().stream()
                    .map(it -> new Values(named(it.spec(), file.getKey()), it.bytes()))
                    .toList();
            try (InputStream in =
                    SafeTensors.content(own, Map.of("format", "pt")).open()) {
                Files.copy(in, folder.resolve(file.getKey() + "model.safetensors"));
            }
        }
        return folder;
    }

    /** Begins the names of what is in a module's folder; empty for the model's own. */
    private static String module(String tensor) {
        return tensor.substring(0, tensor.lastIndexOf('/') + 1);
    }

    private static TensorSpec named(TensorSpec spec, String module) {
        return new TensorSpec(spec.name().substring(module.length()), spec.datatype(), spec.shape(), spec.symbols());
    }

    /** Opens a folder that has no faults. */
    static EncoderFolder open(Path folder) throws IOException {
        return switch (EncoderFolder.open(folder)) {
            case EncoderFolder.Opened.Model(var opened) -> opened;
            case EncoderFolder.Opened.Refused(var faults) -> throw new AssertionError(faults);
        };
    }

    private static InputStream resource(String file) {
        return TestEncoder.class.getResourceAsStream("encoders/" + file);
    }

    @Override
    public String toString() {
        return name;
    }
}
