package io.knabla.functions.decoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import io.knabla.functions.decoder.TestModel.Answer;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.decoder.graph.DecoderGraph;
import io.knabla.functions.decoder.graph.Precision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers of small decoders of all architectures, compared with those of Hugging Face transformers. */
class DecoderReplayTest {
    private static final int POSITIONS = 96;

    /** Rounding of 32-bit sums in another order, relative to the largest logit. */
    private static final double ROUNDING = 2e-5;

    @TempDir
    Path folder;

    private static Iterable<TestModel> models() {
        return TestModel.all().toList();
    }

    @ParameterizedTest
    @MethodSource("models")
    void answersAsTransformers(TestModel model) throws IOException, OrtException {
        ModelFolder opened = TestModel.open(model.write(folder.resolve("model")));
        Path graph = folder.resolve("decoder.onnx");
        DecoderGraph.of(opened, new Precision.Float32(), POSITIONS).write(graph);
        assertThat(opened.weights().faults()).isEmpty();
        try (var decoder = new TestDecoder(graph, opened.config(), POSITIONS)) {
            List<Answer> answers = model.answers();
            TestDecoder.Batch batch = decoder.new Batch(answers.size());
            List<List<Integer>> texts = new ArrayList<>();
            float[][] logits = new float[answers.size()][];
            for (int i = 0; i < answers.size(); i++) {
                int[] prompt = answers.get(i).prompt().stream()
                        .mapToInt(Integer::intValue)
                        .toArray();
                logits[i] = batch.append(i, new int[][] {prompt})[0];
                same(logits[i], answers.get(i).logits());
                texts.add(new ArrayList<>());
            }
            int count = answers.getFirst().tokens().size();
            for (int step = 0; step < count; step++) {
                int[][] next = new int[answers.size()][1];
                for (int i = 0; i < next.length; i++) {
                    next[i][0] = TestDecoder.greatest(logits[i]);
                    texts.get(i).add(next[i][0]);
                }
                logits = batch.append(0, next);
            }
            assertThat(texts).isEqualTo(answers.stream().map(Answer::tokens).toList());
        }
    }

    private static void same(float[] logits, List<Double> expected) {
        double largest = expected.stream().mapToDouble(Math::abs).max().orElseThrow();
        for (int i = 0; i < logits.length; i++) {
            assertThat((double) logits[i]).isEqualTo(expected.get(i), within(ROUNDING * largest));
        }
    }
}
