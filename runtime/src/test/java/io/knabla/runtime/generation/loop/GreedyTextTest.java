package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.decoder.TestModel;
import io.knabla.functions.decoder.graph.Precision;
import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Sampling;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Greedy texts of small models of all architectures, compared with those of Hugging Face transformers. */
class GreedyTextTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
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
                "gpt2-scaled"
            })
    void promptsOfManyLengthsAnswerAsTransformers(String model) throws IOException, InterruptedException {
        Path unit = TestUnits.write(folder, model, new Precision.Float32(), 4, 4 * TestUnits.CONTEXT);
        JsonNode answers = TestModel.of(model).expected().get("answers");
        List<Generation> generations = new ArrayList<>();
        List<List<Integer>> texts = new ArrayList<>();
        try (var generator = TextGenerator.open(unit, 1)) {
            for (JsonNode answer : answers) {
                int[] prompt = integers(answer.get("prompt")).stream()
                        .mapToInt(Integer::intValue)
                        .toArray();
                generations.add(Texts.submit(
                        generator,
                        new GenerationRequest(
                                prompt, answer.get("tokens").size(), Sampling.GREEDY, List.of(), -1, true)));
            }
            for (Generation generation : generations) {
                texts.add(Texts.read(generation).ids());
            }
        }
        assertThat(texts)
                .isEqualTo(StreamSupport.stream(answers.spliterator(), false)
                        .map(answer -> integers(answer.get("tokens")))
                        .toList());
    }

    private static List<Integer> integers(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::intValue)
                .toList();
    }
}
