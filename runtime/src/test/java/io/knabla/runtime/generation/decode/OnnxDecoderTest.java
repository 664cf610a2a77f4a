package io.knabla.runtime.generation.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.unit.generation.CacheType;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.runtime.generation.loop.TestUnits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Logits of one sequence must not depend, in any bit, on how its prompt is read and on what runs beside it. */
class OnnxDecoderTest {
    private static final int SLOTS = 6;
    private static final int PROMPT = 41;

    @TempDir
    Path folder;

    static Stream<Form> forms() {
        return Stream.of(
                new Form(new Precision.Float32(), CacheType.FLOAT32),
                new Form(new Precision.Int8(32), CacheType.FLOAT32),
                new Form(new Precision.Int4(32), CacheType.FLOAT32),
                new Form(new Precision.Float32(), CacheType.INT8),
                new Form(new Precision.Int4(32), CacheType.INT8));
    }

    private record Form(Precision weights, CacheType cache) {}

    private record Opened(OnnxDecoder decoder, int vocabulary) implements AutoCloseable {
        float[] logits(int row) {
            float[] logits = new float[vocabulary];
            decoder.logits(row, logits);
            return logits;
        }

        float[] read(int slot, int[] prompt, int chunk) {
            int length = 0;
            while (length < prompt.length) {
                int end = prompt.length - length <= chunk + 1 ? prompt.length : length + chunk;
                int[] tokens = Arrays.copyOfRange(prompt, length, end);
                decoder.prefill(slot, length, tokens, end == prompt.length);
                length = end;
            }
            return logits(0);
        }

        void decodeFirst() {
            int[] tokens = new int[decoder.leastRows()];
            int[] lengths = new int[tokens.length];
            tokens[0] = 7;
            lengths[0] = PROMPT;
            decoder.decode(tokens, lengths);
        }

        @Override
        public void close() {
            decoder.close();
        }
    }

    private Opened open(Form form) throws IOException {
        Path unit = TestUnits.write(folder, "llama", form.weights(), form.cache(), SLOTS, 1000);
        var settings = GenerationSettings.parse(Files.readAllBytes(unit.resolve(GenerationSettings.FILE)));
        var decoder = OnnxDecoder.open(
                unit.resolve(GenerationSettings.GRAPH),
                settings.shape(),
                new OnnxDecoder.Size(SLOTS, TestUnits.CONTEXT, 0),
                1);
        return new Opened(decoder, settings.shape().vocabulary());
    }

    private static int[] prompt(int seed, int length) {
        return new Random(seed).ints(length, 0, 90).toArray();
    }

    @ParameterizedTest
    @MethodSource("forms")
    void chunksOfAPromptAreEqualToTheWhole(Form form) throws IOException {
        try (Opened opened = open(form)) {
            float[] whole = opened.read(0, prompt(1, PROMPT), PROMPT);
            for (int chunk : new int[] {2, 3, 5, 16, 37}) {
                assertThat(opened.read(3, prompt(1, PROMPT), chunk)).isEqualTo(whole);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    void sequencesBesideChangeNothing(Form form) throws IOException {
        try (Opened opened = open(form)) {
            opened.read(0, prompt(1, PROMPT), PROMPT);
            opened.decodeFirst();
            float[] alone = opened.logits(0);
            for (int others = 1; others < SLOTS; others++) {
                int[] lengths = new int[others + 1];
                for (int slot = 0; slot < others; slot++) {
                    lengths[slot] = 3 + 9 * slot;
                    opened.read(slot, prompt(slot, lengths[slot]), PROMPT);
                }
                lengths[others] = PROMPT;
                opened.read(others, prompt(1, PROMPT), PROMPT);
                int[] tokens = new int[others + 1];
                Arrays.fill(tokens, 7);
                opened.decoder().decode(tokens, lengths);
                assertThat(opened.logits(others)).isEqualTo(alone);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    void movedAndRestoredSequencesGoOnAsBefore(Form form) throws IOException {
        try (Opened opened = open(form)) {
            OnnxDecoder decoder = opened.decoder();
            opened.read(0, prompt(1, PROMPT), PROMPT);
            opened.decodeFirst();
            float[] straight = opened.logits(0);
            opened.read(4, prompt(1, PROMPT), PROMPT);
            decoder.move(4, 2, PROMPT);
            opened.read(4, prompt(2, PROMPT), PROMPT);
            SavedTokens end = decoder.copyOut(2, 20, PROMPT - 20);
            SavedTokens beginning = decoder.copyOut(2, 0, 20);
            opened.read(2, prompt(3, PROMPT), PROMPT);
            opened.read(0, prompt(4, PROMPT), PROMPT);
            decoder.copyIn(end, 0, 20);
            decoder.copyIn(beginning, 0, 0);
            end.close();
            beginning.close();
            opened.decodeFirst();
            assertThat(opened.logits(0)).isEqualTo(straight);
        }
    }
}
