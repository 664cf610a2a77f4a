package io.knabla.runtime.generation.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.unit.generation.CacheType;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.runtime.generation.decode.OnnxDecoder;
import io.knabla.runtime.generation.loop.TestUnits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CacheScalesTest {
    private static final int PROMPT = 40;

    /** Root mean square of the difference of all logits, by that of the logits; measured: 0.005 to 0.087. */
    private static final double ROUNDING = 0.12;

    @TempDir
    Path folder;

    private Path unit(String model, CacheType cache) throws IOException {
        Path own = Files.createDirectory(folder.resolve(cache.name()));
        return TestUnits.write(own, model, new Precision.Float32(), cache, 2, 2 * TestUnits.CONTEXT);
    }

    private static GenerationSettings settings(Path unit) throws IOException {
        return GenerationSettings.parse(Files.readAllBytes(unit.resolve(GenerationSettings.FILE)));
    }

    private static OnnxDecoder open(Path unit) throws IOException {
        var size = new OnnxDecoder.Size(2, TestUnits.CONTEXT, 0);
        return OnnxDecoder.open(
                unit.resolve(GenerationSettings.GRAPH), settings(unit).shape(), size, 1);
    }

    /** Along a text that the 32-bit cache chooses. */
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
    void logitsStayNearThoseOf32Bits(String model) throws IOException {
        int[] prompt = new Random(3).ints(PROMPT, 6, 90).toArray();
        double squares = 0;
        double norm = 0;
        int same = 0;
        try (OnnxDecoder whole = open(unit(model, CacheType.FLOAT32));
                OnnxDecoder rounded = open(unit(model, CacheType.INT8))) {
            float[] expected = new float[96];
            float[] actual = new float[96];
            whole.prefill(0, 0, prompt, true);
            rounded.prefill(0, 0, prompt, true);
            for (int length = PROMPT; length < TestUnits.CONTEXT; length++) {
                whole.logits(0, expected);
                rounded.logits(0, actual);
                for (int i = 0; i < expected.length; i++) {
                    squares += Math.pow(actual[i] - expected[i], 2);
                    norm += Math.pow(expected[i], 2);
                }
                same += greatest(expected) == greatest(actual) ? 1 : 0;
                int[] next = {greatest(expected)};
                whole.decode(next, new int[] {length});
                rounded.decode(next, new int[] {length});
            }
        }
        assertThat(Math.sqrt(squares / norm)).isPositive().isLessThan(ROUNDING);
        assertThat(same).isGreaterThan((TestUnits.CONTEXT - PROMPT) * 4 / 5);
    }

    private static int greatest(float[] logits) {
        int best = 0;
        for (int i = 1; i < logits.length; i++) {
            best = logits[i] > logits[best] ? i : best;
        }
        return best;
    }

    @Test
    void elementsThatAPositionTurnsIntoEachOtherHaveOneScale() throws IOException {
        Path unit = unit("llama", CacheType.INT8);
        var shape = settings(unit).shape();
        FloatBuffer scales = ByteBuffer.wrap(Files.readAllBytes(unit.resolve(GenerationSettings.CACHE_SCALES)))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer();

        assertThat(scales.remaining()).isEqualTo(shape.layers() * 2 * shape.kvHeads() * shape.headWidth());
        int half = shape.headWidth() / 2;
        int values = shape.kvHeads() * shape.headWidth();
        for (int i = 0; i < half; i++) {
            assertThat(scales.get(i)).isPositive().isEqualTo(scales.get(i + half));
            assertThat(scales.get(values + i)).isPositive().isNotEqualTo(scales.get(values + i + half));
        }
    }

    @Test
    void isTheSameEachTime() throws IOException {
        Path unit = unit("gemma3", CacheType.INT8);

        assertThat(CacheScales.measure(unit))
                .isEqualTo(Files.readAllBytes(unit.resolve(GenerationSettings.CACHE_SCALES)));
    }
}
