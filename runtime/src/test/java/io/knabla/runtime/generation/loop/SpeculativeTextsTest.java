package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.unit.generation.CacheType;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.Sampling.Penalties;
import io.knabla.runtime.generation.decode.Decoder;
import io.knabla.runtime.generation.decode.OnnxDecoder;
import io.knabla.runtime.schedule.ChunkSize;
import io.knabla.runtime.schedule.ScheduleLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts with speculation are those without: a draft that is wrong is never part of them. */
class SpeculativeTextsTest {
    private static final int DRAFT = 4;
    private static final Sampling DRAWN = new Sampling(0.4, 1, 0, 0, Penalties.NONE, 11, Map.of());

    @TempDir
    Path folder;

    /** Every run takes the same time by its clock. */
    private static Generator open(Path unit, int draft, DecoderOpener decoder) throws IOException {
        var settings = GenerationSettings.parse(Files.readAllBytes(unit.resolve(GenerationSettings.FILE)));
        var loop = new LoopSettings(
                new ScheduleLimits(2, 1 << 16, 0),
                new ChunkSize.Limits(1 << 16, Duration.ofMillis(50)),
                TestTokenizer.SIZE,
                0,
                0,
                draft,
                Duration.ofMinutes(10),
                Set.of(TestTokenizer.END));
        return new TextGenerator(settings, loop, TestTokenizer.open(), decoder, new AtomicLong()::incrementAndGet);
    }

    private Path unit(String model, Precision precision) throws IOException {
        return unit(model, precision, CacheType.FLOAT32);
    }

    private Path unit(String model, Precision precision, CacheType cache) throws IOException {
        return TestUnits.write(folder, model, precision, cache, 2, 2 * TestUnits.CONTEXT);
    }

    private static Decoder decoder(Path unit) {
        try {
            var settings = GenerationSettings.parse(Files.readAllBytes(unit.resolve(GenerationSettings.FILE)));
            return OnnxDecoder.open(
                    unit.resolve(GenerationSettings.GRAPH),
                    settings.shape(),
                    new OnnxDecoder.Size(3, TestUnits.CONTEXT, DRAFT),
                    1);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static GenerationRequest request(int first, Sampling sampling) {
        int[] prompt = IntStream.range(0, 20).map(i -> 3 + (first + i % 5) % 80).toArray();
        return new GenerationRequest(prompt, 60, sampling, List.of("zz"), 2, true);
    }

    private static List<Texts.Whole> texts(Generator generator, Sampling sampling) throws InterruptedException {
        List<Texts.Whole> texts = new ArrayList<>();
        for (int pair = 0; pair < 3; pair++) {
            Generation one = Texts.submit(generator, request(pair, sampling));
            Generation other = Texts.submit(generator, request(40 + pair, sampling));
            texts.add(Texts.read(one));
            texts.add(Texts.read(other));
        }
        return texts;
    }

    @ParameterizedTest
    @CsvSource({
        "llama, FLOAT32",
        "gemma2, FLOAT32",
        "qwen2-window, FLOAT32",
        "gpt2, FLOAT32",
        "llama, INT8",
        "gpt2, INT8"
    })
    void ofRealDecodersInAllWaysToChoose(String model, CacheType cache) throws IOException, InterruptedException {
        Path unit = unit(model, new Precision.Float32(), cache);
        try (Generator plain = open(unit, 0, () -> decoder(unit));
                Generator speculating = open(unit, DRAFT, () -> decoder(unit))) {
            for (Sampling sampling : List.of(Sampling.GREEDY, DRAWN)) {
                assertThat(ids(texts(speculating, sampling))).isEqualTo(ids(texts(plain, sampling)));
            }
            assertThat(plain.statistics().draftTokens()).isZero();
            assertThat(speculating.statistics().acceptedTokens()).isPositive();
            assertThat(speculating.statistics().generatedTokens())
                    .isEqualTo(plain.statistics().generatedTokens());
        }
    }

    /** By the main model itself, each draft is right; by another one, hardly any. One that drafts keeps 32 bits. */
    @ParameterizedTest
    @CsvSource({"llama, llama, FLOAT32", "llama, mistral, FLOAT32", "gpt2, llama, FLOAT32", "llama, mistral, INT8"})
    void ofADraftingModelToo(String model, String small, CacheType cache) throws IOException, InterruptedException {
        Path unit = unit(model, new Precision.Float32(), cache);
        Path drafting = TestUnits.write(
                Files.createDirectory(folder.resolve("small")), small, new Precision.Float32(), 2, TestUnits.CONTEXT);
        try (Generator plain = open(unit, 0, () -> decoder(unit));
                Generator speculating = open(unit, DRAFT, drafting(() -> decoder(unit), () -> decoder(drafting)))) {
            for (Sampling sampling : List.of(Sampling.GREEDY, DRAWN)) {
                assertThat(ids(texts(speculating, sampling))).isEqualTo(ids(texts(plain, sampling)));
                assertThat(speculating.statistics().draftTokens()).isPositive();
                if (model.equals(small) && sampling.equals(Sampling.GREEDY)) {
                    assertThat(speculating.statistics().acceptedTokens())
                            .isEqualTo(speculating.statistics().draftTokens());
                    assertThat(speculating.runs()).isLessThan(plain.runs() / 2);
                }
            }
        }
    }

    private static DecoderOpener drafting(DecoderOpener main, DecoderOpener small) {
        return new DecoderOpener() {
            @Override
            public Decoder decoder() {
                return main.decoder();
            }

            @Override
            public Drafts drafts() {
                return new ModelDrafts(small.decoder(), TestTokenizer.SIZE, TestTokenizer.SIZE, TestUnits.CONTEXT);
            }
        };
    }

    /** A model that is never right is asked once. */
    @Test
    void aDraftingModelThatLosesIsGivenUp() throws IOException, InterruptedException {
        Path unit = unit("llama", new Precision.Float32());
        FakeDecoder small = FakeDecoder.running(_ -> FakeModels.only(90));
        try (Generator speculating =
                open(unit, DRAFT, drafting(() -> FakeDecoder.running(SpeculativeTextsTest::counting), () -> small))) {
            Texts.Whole text = Texts.generate(speculating, request(0, Sampling.GREEDY));

            assertThat(text.ids()).hasSize(60);
            assertThat(speculating.statistics().draftTokens()).isEqualTo(DRAFT);
            assertThat(speculating.statistics().acceptedTokens()).isZero();
            // The prompt, then the draft.
            assertThat(small.runs()).isEqualTo(1 + DRAFT);
        }
    }

    private static List<List<Integer>> ids(List<Texts.Whole> texts) {
        return texts.stream().map(Texts.Whole::ids).toList();
    }

    /** A text that repeats itself takes a fifth of the runs. */
    @Test
    void rightDraftsSaveRuns() throws IOException, InterruptedException {
        Path unit = unit("llama", new Precision.Float32());
        try (Generator speculating = open(unit, DRAFT, () -> FakeDecoder.running(SpeculativeTextsTest::counting))) {
            Texts.Whole text = Texts.generate(speculating, request(0, Sampling.GREEDY));

            assertThat(text.ids())
                    .isEqualTo(
                            IntStream.range(0, 60).map(i -> 3 + i % 5).boxed().toList());
            assertThat(speculating.runs()).isLessThanOrEqualTo(1 + 1 + 60 / (1 + DRAFT));
            assertThat(speculating.statistics().acceptedTokens()).isGreaterThan(40);
        }
    }

    /** From 3 to 7 and again. */
    private static float[] counting(List<Integer> tokens) {
        return FakeModels.only(3 + (tokens.getLast() - 2) % 5);
    }

    @Test
    void wrongDraftsAreGivenUp() throws IOException, InterruptedException {
        Path unit = unit("llama", new Precision.Float32());
        try (Generator speculating = open(unit, DRAFT, () -> FakeDecoder.running(SpeculativeTextsTest::contrary))) {
            Texts.Whole text = Texts.generate(speculating, request(0, Sampling.GREEDY));

            assertThat(text.ids()).hasSize(60);
            assertThat(speculating.statistics().draftTokens()).isEqualTo(DRAFT);
            assertThat(speculating.statistics().acceptedTokens()).isZero();
        }
    }

    /**
     * Never what stands in the prompt after these tokens, but pairs that stand there, so that there is always a draft.
     */
    private static float[] contrary(List<Integer> tokens) {
        int size = tokens.size();
        return FakeModels.only(size % 3 == 2 ? 60 + size % 7 : 3 + (size % 3));
    }
}
