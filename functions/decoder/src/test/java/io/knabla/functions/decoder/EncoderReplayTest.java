package io.knabla.functions.decoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.knabla.functions.decoder.TestEncoder.Answer;
import io.knabla.functions.decoder.folder.EncoderFolder;
import io.knabla.functions.decoder.folder.EncoderOutput;
import io.knabla.functions.decoder.graph.EncoderGraph;
import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.tokenizer.Encoding;
import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.unit.encoder.Prompts.Prompt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Vectors and scores of small encoders of all architectures, compared with those of sentence-transformers. */
class EncoderReplayTest {
    private static final OrtEnvironment ENGINE = OrtEnvironment.getEnvironment();

    /** Rounding of 32-bit sums in another order, relative to the largest element, or to 1. */
    private static final double ROUNDING = 1e-5;

    private static final Prompt NO_PROMPT = new Prompt("", "", 0);

    @TempDir
    Path folder;

    private static Iterable<TestEncoder> models() {
        return TestEncoder.all().toList();
    }

    @ParameterizedTest
    @MethodSource("models")
    void answersAsSentenceTransformers(TestEncoder model) throws IOException, OrtException {
        EncoderFolder opened = TestEncoder.open(model.write(folder.resolve("model")));
        Path graph = folder.resolve("encoder.onnx");
        EncoderGraph.of(opened, new Precision.Float32()).write(graph);
        assertThat(opened.weights().faults()).isEmpty();
        Tokenizer tokenizer = Tokenizer.of(ByteBuffer.wrap(opened.tokenizer()));
        List<Answer> answers = model.answers();
        List<Encoding> texts = answers.stream()
                .map(it -> encoded(tokenizer, before(it, opened).text(), it.texts()))
                .toList();
        int[] leftOut =
                answers.stream().mapToInt(it -> before(it, opened).leftOut()).toArray();
        for (int i = 0; i < texts.size(); i++) {
            assertThat(texts.get(i).ids())
                    .as(answers.get(i).texts().toString())
                    .isEqualTo(answers.get(i).ids());
        }
        try (var options = new OrtSession.SessionOptions();
                var session = ENGINE.createSession(graph.toString(), options)) {
            float[][] together = run(session, texts, leftOut, opened.config().padToken());
            for (int i = 0; i < texts.size(); i++) {
                same(finished(opened.output(), together[i]), answers.get(i).output());
                float[][] alone = run(
                        session,
                        List.of(texts.get(i)),
                        new int[] {leftOut[i]},
                        opened.config().padToken());
                same(finished(opened.output(), alone[0]), answers.get(i).output());
            }
        }
    }

    private static Prompt before(Answer answer, EncoderFolder folder) {
        return folder.output() instanceof EncoderOutput.Embedding embedding
                ? answer.prompt().flatMap(embedding.prompts()::named).orElse(NO_PROMPT)
                : NO_PROMPT;
    }

    private static Encoding encoded(Tokenizer tokenizer, String prompt, List<String> texts) {
        return texts.size() == 1
                ? tokenizer.encode(prompt + texts.getFirst(), true)
                : tokenizer.encode(texts.getFirst(), texts.getLast(), true);
    }

    private static float[][] run(OrtSession session, List<Encoding> texts, int[] leftOut, int pad) throws OrtException {
        int longest = texts.stream().mapToInt(it -> it.ids().length).max().orElseThrow();
        long[][] ids = new long[texts.size()][longest];
        long[][] types = new long[texts.size()][longest];
        int[] lengths = new int[texts.size()];
        for (int i = 0; i < lengths.length; i++) {
            Encoding text = texts.get(i);
            lengths[i] = text.ids().length;
            Arrays.fill(ids[i], pad);
            for (int at = 0; at < lengths[i]; at++) {
                ids[i][at] = text.ids()[at];
                types[i][at] = text.typeIds()[at];
            }
        }
        Map<String, OnnxTensor> inputs = new HashMap<>(Map.of(
                "input_ids", OnnxTensor.createTensor(ENGINE, ids),
                "lengths", OnnxTensor.createTensor(ENGINE, lengths),
                "left_out", OnnxTensor.createTensor(ENGINE, leftOut),
                "token_type_ids", OnnxTensor.createTensor(ENGINE, types)));
        inputs.keySet().retainAll(session.getInputNames());
        try (OrtSession.Result result = session.run(inputs)) {
            return (float[][]) result.get("output").orElseThrow().getValue();
        }
    }

    private static double[] finished(EncoderOutput output, float[] raw) {
        boolean normalized = output instanceof EncoderOutput.Embedding embedding && embedding.normalized();
        double square = 0;
        for (float value : raw) {
            square += (double) value * value;
        }
        double length = normalized ? Math.sqrt(square) : 1;
        double[] finished = new double[raw.length];
        for (int i = 0; i < raw.length; i++) {
            finished[i] = raw[i] / length;
        }
        return finished;
    }

    private static void same(double[] output, double[] expected) {
        double largest =
                Math.max(1, Arrays.stream(expected).map(Math::abs).max().orElseThrow());
        assertThat(output).hasSameSizeAs(expected);
        for (int i = 0; i < output.length; i++) {
            assertThat(output[i]).isEqualTo(expected[i], within(ROUNDING * largest));
        }
    }
}
