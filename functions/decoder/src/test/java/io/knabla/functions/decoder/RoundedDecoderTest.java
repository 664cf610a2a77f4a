package io.knabla.functions.decoder;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.decoder.graph.DecoderGraph;
import io.knabla.functions.decoder.graph.PackagedGraph;
import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decoders whose weights are rounded in blocks, compared with a decoder of the same rounded weights in 32 bits. */
class RoundedDecoderTest {
    private static final int POSITIONS = 32;

    /**
     * Of the norm of all logits: the engine rounds the activations too, to 8 bits, and random weights attend sharply. A
     * wrong layout is off by more than 1.
     */
    private static final double ROUNDING = 0.15;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "llama, 4, 32",
        "llama-biased-tied, 4, 32",
        "llama-biased-tied, 4, 16",
        "llama-biased-tied, 8, 32",
        "qwen3, 8, 64",
        "phi3, 4, 128",
        "gemma2, 8, 128",
        "gpt2, 4, 16",
        "gpt2, 4, 32",
        "gpt2, 8, 32",
        "gpt2-scaled, 8, 128",
    })
    void answersAsTheRoundedWeights(String name, int bits, int block) throws IOException, OrtException {
        TestModel model = TestModel.of(name);
        List<Values> weights = model.weights();
        ModelFolder stored = TestModel.open(model.write(folder.resolve("stored"), weights));
        ModelFolder rounded = TestModel.open(model.write(
                folder.resolve("rounded"),
                weights.stream().map(one -> rounded(one, bits, block)).toList()));
        Precision precision = bits == 4 ? new Precision.Int4(block) : new Precision.Int8(block);
        float[] expected = logits(rounded, new Precision.Float32(), model);
        float[] actual = logits(stored, precision, model);
        assertThat(difference(actual, expected)).isLessThan(ROUNDING);
        assertThat(Files.size(folder.resolve(precision + "/" + PackagedGraph.WEIGHTS)))
                .isLessThan(Files.size(folder.resolve(new Precision.Float32() + "/" + PackagedGraph.WEIGHTS)));
    }

    private float[] logits(ModelFolder model, Precision precision, TestModel test) throws IOException, OrtException {
        Path graph = Files.createDirectory(folder.resolve(precision.toString())).resolve("decoder.onnx");
        DecoderGraph.of(model, precision, POSITIONS).write(graph);
        assertThat(model.weights().faults()).isEmpty();
        int[] prompt = test.answers().getLast().prompt().stream()
                .mapToInt(Integer::intValue)
                .toArray();
        try (var decoder = new TestDecoder(graph, model.config(), POSITIONS)) {
            return decoder.new Batch(1).append(0, new int[][] {prompt})[0];
        }
    }

    private static double difference(float[] actual, float[] expected) {
        double squares = 0;
        double norm = 0;
        for (int i = 0; i < expected.length; i++) {
            squares += Math.pow(actual[i] - expected[i], 2);
            norm += Math.pow(expected[i], 2);
        }
        return Math.sqrt(squares / norm);
    }

    /**
     * Matrices in blocks of a row, which GPT-2 stores as a column: the weight of largest magnitude becomes
     * {@code -2^(bits - 1)} of the block's unit.
     */
    private static Values rounded(Values values, int bits, int block) {
        String name = values.spec().name();
        if (values.spec().shape().size() < 2 || name.endsWith("wpe.weight")) {
            return values;
        }
        int inner = values.spec().shape().getLast().intValue();
        ByteBuffer bytes = values.bytes().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        float[] all = new float[bytes.remaining() / Float.BYTES];
        bytes.asFloatBuffer().get(all);
        boolean columns = name.matches(".*\\.c_(attn|proj|fc)\\.weight");
        int width = columns ? all.length / inner : inner;
        all = columns ? transposed(all, inner) : all;
        int size = Math.min(block, Integer.highestOneBit(width));
        for (int row = 0; row < all.length; row += width) {
            for (int from = row; from < row + width; from += size) {
                round(all, from, Math.min(from + size, row + width), 1 << (bits - 1));
            }
        }
        ByteBuffer rounded = ByteBuffer.allocate(all.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        rounded.asFloatBuffer().put(columns ? transposed(all, width) : all);
        return new Values(values.spec(), rounded);
    }

    /** @param width elements of a row of {@code matrix} */
    private static float[] transposed(float[] matrix, int width) {
        int rows = matrix.length / width;
        float[] turned = new float[matrix.length];
        for (int i = 0; i < matrix.length; i++) {
            turned[i % width * rows + i / width] = matrix[i];
        }
        return turned;
    }

    private static void round(float[] all, int from, int to, int steps) {
        float largest = 0;
        for (int i = from; i < to; i++) {
            largest = Math.abs(all[i]) > Math.abs(largest) ? all[i] : largest;
        }
        float unit = -largest / steps;
        for (int i = from; i < to; i++) {
            all[i] = Math.clamp(Math.round(all[i] / unit), -steps, steps - 1) * unit;
        }
    }
}
