package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.unit.generation.CacheType;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.PrefixSource;
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
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Equal requests have equal texts: alone, beside others, and interrupted. */
class ConcurrentTextsTest {
    private static final int REQUESTS = 200;
    private static final int SEQUENCES = 6;

    @TempDir
    Path folder;

    static Stream<Arguments> forms() {
        return Stream.of(
                Arguments.of(new Precision.Float32(), CacheType.FLOAT32),
                Arguments.of(new Precision.Int4(32), CacheType.FLOAT32),
                Arguments.of(new Precision.Int8(32), CacheType.FLOAT32),
                Arguments.of(new Precision.Int4(32), CacheType.INT8));
    }

    private static List<GenerationRequest> requests() {
        var random = new Random(5);
        return Stream.generate(() -> request(random)).limit(REQUESTS).toList();
    }

    private static GenerationRequest request(Random random) {
        int[] prompt = random.nextInt(3) == 0
                ? random.ints(1 + random.nextInt(40), 0, 90).toArray()
                : withHead(random.nextInt(3), random.ints(1 + random.nextInt(10), 0, 90));
        var sampling = new Sampling(
                random.nextInt(4) / 2.0,
                random.nextBoolean() ? 1 : 0.8,
                random.nextInt(3) * 10,
                0,
                random.nextBoolean() ? Penalties.NONE : new Penalties(1.2, 0.1, 0.1),
                random.nextLong(),
                Map.of());
        return new GenerationRequest(prompt, 1 + random.nextInt(24), sampling, List.of("zz"), -1, random.nextBoolean());
    }

    /** A prompt that begins as others do. */
    private static int[] withHead(int head, IntStream rest) {
        return IntStream.concat(new Random(head).ints(PrefixKeys.BLOCK, 0, 90), rest)
                .toArray();
    }

    private static List<List<Integer>> alone(Generator generator) throws InterruptedException {
        List<List<Integer>> texts = new ArrayList<>();
        for (GenerationRequest request : requests()) {
            texts.add(Texts.generate(generator, request).ids());
        }
        return texts;
    }

    private static List<List<Integer>> together(Generator generator) throws InterruptedException {
        List<Generation> generations = requests().stream()
                .map(request -> Texts.submit(generator, request))
                .toList();
        List<List<Integer>> texts = new ArrayList<>();
        for (Generation generation : generations) {
            texts.add(Texts.read(generation).ids());
        }
        return texts;
    }

    @ParameterizedTest
    @MethodSource("forms")
    void textsOfAModelAreTheSameAloneAndTogether(Precision precision, CacheType cache)
            throws IOException, InterruptedException {
        Path unit = TestUnits.write(folder, "llama", precision, cache, SEQUENCES, SEQUENCES * TestUnits.CONTEXT);
        try (Generator one = open(unit, new ScheduleLimits(1, 1 << 16, 0), 1 << 16, 0, 0);
                Generator many = open(unit, new ScheduleLimits(SEQUENCES, 1 << 16, 0), 7, 0, 2 * PrefixKeys.BLOCK);
                Generator saving = open(unit, new ScheduleLimits(SEQUENCES, 112, 0), 7, 1 << 16, 0);
                Generator repeating = open(unit, new ScheduleLimits(SEQUENCES, 112, 0), 7, 0, 0);
                Generator reader = open(unit, new ScheduleLimits(SEQUENCES, 1 << 16, 0), 9, 0, 8 * PrefixKeys.BLOCK);
                Generator split = open(unit, new ReaderSource(reader))) {
            List<List<Integer>> texts = alone(one);
            assertThat(together(many)).isEqualTo(texts);
            assertThat(together(saving)).isEqualTo(texts);
            assertThat(together(repeating)).isEqualTo(texts);
            assertThat(together(split)).isEqualTo(texts);
            assertThat(split.statistics().prefill().tokens()).isPositive();
            assertThat(many.runs()).isLessThan(one.runs());
            assertThat(many.statistics().preemptions()).isZero();
            assertThat(many.statistics().cachedTokens()).isPositive();
            assertThat(saving.statistics().preemptions()).isPositive();
            assertThat(repeating.statistics().promptTokens())
                    .isGreaterThan(saving.statistics().promptTokens());
        }
    }

    private static Generator open(Path unit, PrefixSource source) throws IOException {
        var limits = new ScheduleLimits(SEQUENCES, 1 << 16, 0);
        return open(unit, limits, 7, 0, 2 * PrefixKeys.BLOCK, Optional.of(source));
    }

    private static Generator open(Path unit, ScheduleLimits limits, int chunk, long spareTokens, long prefixTokens)
            throws IOException {
        return open(unit, limits, chunk, spareTokens, prefixTokens, Optional.empty());
    }

    private static Generator open(
            Path unit,
            ScheduleLimits limits,
            int chunk,
            long spareTokens,
            long prefixTokens,
            Optional<PrefixSource> source)
            throws IOException {
        var settings = GenerationSettings.parse(Files.readAllBytes(unit.resolve(GenerationSettings.FILE)));
        var loop = new LoopSettings(
                limits,
                new ChunkSize.Limits(chunk, Duration.ofMillis(50)),
                TestTokenizer.SIZE,
                spareTokens,
                prefixTokens,
                0,
                Duration.ofMinutes(10),
                Set.of(TestTokenizer.END));
        DecoderOpener opener = () -> decoder(unit, settings);
        return new TextGenerator(settings, loop, TestTokenizer.open(), opener, source, System::nanoTime);
    }

    private static Decoder decoder(Path unit, GenerationSettings settings) {
        return OnnxDecoder.open(
                unit.resolve(GenerationSettings.GRAPH),
                settings.shape(),
                new OnnxDecoder.Size(SEQUENCES + 1, TestUnits.CONTEXT, 0),
                1);
    }

    @Test
    void interruptedTextsAreTheSame() throws InterruptedException {
        List<List<Integer>> texts;
        try (var generator = FakeGenerators.one().open(() -> FakeDecoder.running(FakeModels::mixed))) {
            texts = alone(generator);
        }
        for (int spare : new int[] {0, 50, 1000}) {
            FakeDecoder decoder = FakeDecoder.running(FakeModels::mixed);
            try (var generator = FakeGenerators.small(SEQUENCES, 112, spare, 7).open(() -> decoder)) {
                assertThat(together(generator)).isEqualTo(texts);
                assertThat(generator.statistics().preemptions()).isPositive();
                assertThat(decoder.saved() > 0).isEqualTo(spare > 0);
                assertThat(generator.statistics().kvBytesUsed()).isZero();
            }
        }
    }
}
