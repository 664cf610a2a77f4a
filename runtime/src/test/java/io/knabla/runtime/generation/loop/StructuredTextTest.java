package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.Sampling.Penalties;
import io.knabla.runtime.generation.decode.OnnxDecoder;
import io.knabla.runtime.generation.grammar.Grammars;
import io.knabla.runtime.generation.grammar.Grammars.Opened;
import io.knabla.runtime.generation.grammar.RandomSchemas;
import io.knabla.runtime.generation.grammar.SchemaJudge;
import io.knabla.runtime.generation.grammar.TokenGrammar;
import io.knabla.runtime.generation.grammar.TokenVocabulary;
import io.knabla.runtime.generation.grammar.schema.JsonValueReader;
import io.knabla.runtime.schedule.ChunkSize;
import io.knabla.runtime.schedule.ScheduleLimits;
import io.knabla.storage.thorough.Thorough;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of small models that follow random schemas are valid, and the same alone, beside others and interrupted. */
class StructuredTextTest {
    private static final int SEQUENCES = 6;
    private static final int CONTEXT = 512;
    private static final int SHORT_CONTEXT = 128;
    private static final TestUnits.Limits LIMITS = new TestUnits.Limits(CONTEXT, SEQUENCES, SEQUENCES * CONTEXT);

    /** Of each model; 1,100 texts of all of them in a thorough run. */
    private static final int SCHEMAS = Thorough.count("knabla.structured", 4, 100);

    @TempDir
    Path folder;

    private static Grammars grammars() {
        return new Grammars(TokenVocabulary.of(JsonTokenizer.open(), TestTokenizer.SIZE, List.of(TestTokenizer.END))
                .orElseThrow());
    }

    private static TokenGrammar grammar(Grammars grammars, String schema) throws IOException {
        byte[] document = ("{\"x\":" + schema + "}").getBytes(StandardCharsets.UTF_8);
        return switch (grammars.schema(
                JsonValueReader.field(document, document.length, "x").orElseThrow(), false)) {
            case Opened.Usable(var grammar) -> grammar;
            case Opened.Refused(var faults) -> throw new AssertionError(schema + ": " + faults);
        };
    }

    private static GenerationRequest request(TokenGrammar grammar, long seed) {
        var random = new Random(seed);
        var sampling = new Sampling(1, 1, 0, 0, Penalties.NONE, seed, Map.of());
        int[] prompt = random.ints(1 + random.nextInt(20), 3, 90).toArray();
        return new GenerationRequest(prompt, CONTEXT, sampling, List.of(), -1, false, Optional.of(grammar));
    }

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
    void textsOfRandomSchemasAreValid(String model) throws IOException, InterruptedException {
        Path unit = TestUnits.write(folder, model, new Precision.Float32(), LIMITS, JsonTokenizer.table());
        var schemas = new RandomSchemas(model.hashCode());
        Grammars grammars = grammars();
        int ended = 0;
        try (var generator = TextGenerator.open(unit, 1)) {
            for (long seed = 0; ended < SCHEMAS; seed++) {
                String schema = schemas.next();
                Texts.Whole text = Texts.generate(generator, request(grammar(grammars, schema), seed));
                if (text.reason() == FinishReason.STOP) {
                    ended++;
                    assertThat(SchemaJudge.faults(schema, text.text()))
                            .as("%s of %s", text.text(), schema)
                            .isEmpty();
                }
                assertThat(seed).as("most texts end").isLessThan(10L + 3 * SCHEMAS);
            }
        }
    }

    private static List<GenerationRequest> requests() throws IOException {
        var schemas = new RandomSchemas(1);
        Grammars grammars = grammars();
        List<GenerationRequest> requests = new ArrayList<>();
        for (int seed = 0; seed < 20; seed++) {
            requests.add(request(grammar(grammars, schemas.next()), seed));
        }
        return requests;
    }

    private static List<List<Integer>> together(Generator generator) throws IOException, InterruptedException {
        List<Generation> generations = requests().stream()
                .map(request -> Texts.submit(generator, request))
                .toList();
        List<List<Integer>> texts = new ArrayList<>();
        for (Generation generation : generations) {
            texts.add(Texts.read(generation).ids());
        }
        return texts;
    }

    private static Generator open(Path unit, ScheduleLimits limits, int chunk, long spareTokens) throws IOException {
        var settings = GenerationSettings.parse(Files.readAllBytes(unit.resolve(GenerationSettings.FILE)));
        var loop = new LoopSettings(
                limits,
                new ChunkSize.Limits(chunk, Duration.ofMillis(50)),
                TestTokenizer.SIZE,
                spareTokens,
                0,
                0,
                Duration.ofMinutes(10),
                Set.of(TestTokenizer.END));
        Path graph = unit.resolve(GenerationSettings.GRAPH);
        return new TextGenerator(
                settings,
                loop,
                JsonTokenizer.open(),
                () -> OnnxDecoder.open(
                        graph, settings.shape(), new OnnxDecoder.Size(SEQUENCES + 1, SHORT_CONTEXT, 0), 1),
                System::nanoTime);
    }

    @Test
    void textsAreTheSameAloneTogetherAndInterrupted() throws IOException, InterruptedException {
        var limits = new TestUnits.Limits(SHORT_CONTEXT, SEQUENCES, SEQUENCES * SHORT_CONTEXT);
        Path unit = TestUnits.write(folder, "llama", new Precision.Float32(), limits, JsonTokenizer.table());
        try (Generator one = open(unit, new ScheduleLimits(1, 1 << 16, 0), 1 << 16, 0);
                Generator many = open(unit, new ScheduleLimits(SEQUENCES, 1 << 16, 0), 7, 0);
                Generator saving = open(unit, new ScheduleLimits(SEQUENCES, 144, 0), 7, 1 << 16);
                Generator repeating = open(unit, new ScheduleLimits(SEQUENCES, 144, 0), 7, 0)) {
            List<List<Integer>> texts = new ArrayList<>();
            for (GenerationRequest request : requests()) {
                texts.add(Texts.generate(one, request).ids());
            }
            assertThat(together(many)).isEqualTo(texts);
            assertThat(together(saving)).isEqualTo(texts);
            assertThat(together(repeating)).isEqualTo(texts);
            assertThat(saving.statistics().preemptions()).isPositive();
            assertThat(repeating.statistics().preemptions()).isPositive();
        }
    }

    @Test
    void aTextWhoseSchemaIsFulfilledEndsWithoutAnEndToken() throws IOException, InterruptedException {
        TokenGrammar grammar = grammar(grammars(), "{\"const\":{\"a\":true}}");
        try (var generator = FakeGenerators.one().open(() -> FakeDecoder.running(FakeModels::mixed))) {
            Texts.Whole text = Texts.generate(generator, request(grammar, 1));
            assertThat(text.reason()).isEqualTo(FinishReason.STOP);
            assertThat(text.ids()).doesNotContain(TestTokenizer.END);
            assertThat(JsonTokenizer.open()
                            .decode(text.ids().stream().mapToInt(id -> id).toArray(), false))
                    .isEqualTo("{\"a\":true}");
        }
    }

    @Test
    void whatIsToldOfProbabilitiesIsThatOfTheModelAlone() throws IOException, InterruptedException {
        TokenGrammar grammar = grammar(grammars(), "{\"const\":\"b\"}");
        int likeliest = 50;
        var request =
                new GenerationRequest(new int[] {5}, 9, Sampling.GREEDY, List.of(), 1, false, Optional.of(grammar));
        try (var generator = FakeGenerators.one().open(() -> FakeDecoder.running(_ -> FakeModels.only(likeliest)))) {
            assertThat(Texts.generate(generator, request).tokens()).hasSize(3).allSatisfy(token -> {
                assertThat(token.logprob()).isLessThan(-19);
                assertThat(token.alternatives().getFirst().id()).isEqualTo(likeliest);
            });
        }
    }
}
