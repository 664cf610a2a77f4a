package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationEvent.Finished;
import io.knabla.runtime.generation.GenerationFailure;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.GeneratorStatistics.Prefill;
import io.knabla.runtime.generation.PrefixSource.Fetched;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.loop.HeldSource.Asked;
import io.knabla.runtime.generation.loop.Texts.Whole;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Prompts that another generator reads have the same texts, and what does not come is read here. */
@Timeout(60)
class PrefixFetchesTest {
    private static final int BLOCK = PrefixKeys.BLOCK;

    private final FakeDecoder decoder = FakeDecoder.running(FakeModels::mixed);

    private static GenerationRequest request(int seed, int length) {
        return GenerationRequest.of(new Random(seed).ints(length, 0, 90).toArray(), 5, Sampling.GREEDY);
    }

    private static FakeGenerators generators(int sequences, int blocks) {
        return FakeGenerators.of(sequences, 100).withPrefixes(blocks * BLOCK);
    }

    private static Generator reader() {
        return generators(4, 8).open(() -> FakeDecoder.running(FakeModels::mixed));
    }

    private static Whole alone(GenerationRequest request) throws InterruptedException {
        try (var generator = FakeGenerators.one().open(() -> FakeDecoder.running(FakeModels::mixed))) {
            return Texts.generate(generator, request);
        }
    }

    private static void fill(Asked asked, int blocks) {
        for (int i = 0; i < blocks; i++) {
            int from = (asked.first() + i) * BLOCK;
            asked.room().get(i).asIntBuffer().put(asked.prompt(), from, BLOCK);
        }
    }

    @Test
    void textIsTheSameAndOnlyTheRestIsReadHere() throws InterruptedException {
        try (var reader = reader();
                var generator = generators(1, 4).open(() -> decoder, new ReaderSource(reader))) {
            Whole text = Texts.generate(generator, request(1, 80));
            assertThat(text.pieces()).isEqualTo(alone(request(1, 80)).pieces());
            assertThat(((Finished) text.last()).usage().cached()).isZero();
            assertThat(generator.statistics().promptTokens()).isEqualTo(80 - BLOCK);
            assertThat(generator.statistics().prefill()).isEqualTo(new Prefill(BLOCK, 0));
            assertThat(reader.statistics().promptTokens())
                    .as("no more than it must")
                    .isEqualTo(BLOCK + 2);
            assertThat(reader.statistics().generatedTokens()).isZero();
        }
        assertThat(decoder.open()).isZero();
    }

    @Test
    void whatTheOtherSideHadAlreadyCountsAsCached() throws InterruptedException {
        try (var reader = reader();
                var first = generators(1, 4).open(() -> decoder, new ReaderSource(reader));
                var second =
                        generators(1, 4).open(() -> FakeDecoder.running(FakeModels::mixed), new ReaderSource(reader))) {
            Texts.generate(first, request(1, 80));
            Whole text = Texts.generate(second, request(1, 80));
            assertThat(((Finished) text.last()).usage().cached()).isEqualTo(BLOCK);
            assertThat(second.statistics().prefill().tokens()).isZero();
            assertThat(second.statistics().cachedTokens()).isEqualTo(BLOCK);
        }
    }

    @Test
    void knownBlocksAreNotAskedFor() throws InterruptedException {
        var source = new HeldSource();
        try (var generator = generators(1, 4).open(() -> decoder, source)) {
            Generation first = Texts.submit(generator, request(1, 80));
            source.asked.take().done().accept(new Fetched(0, 0, false));
            Texts.read(first);
            assertThat(Texts.generate(generator, request(1, 80)).pieces())
                    .isEqualTo(alone(request(1, 80)).pieces());
            assertThat(source.asked).isEmpty();
        }
    }

    @Test
    void shortPromptsAreNotAskedFor() throws InterruptedException {
        var source = new HeldSource();
        try (var generator = generators(1, 4).open(() -> decoder, source)) {
            Texts.generate(generator, request(1, BLOCK + 1));
            assertThat(source.asked).isEmpty();
        }
    }

    @Test
    void afterAFailureAllIsReadHereForASecond() throws InterruptedException {
        var source = new HeldSource();
        FakeGenerators generators = generators(1, 8);
        try (var generator = generators.open(() -> decoder, source)) {
            Generation text = Texts.submit(generator, request(1, 80));
            source.asked.take().done().accept(Fetched.FAILED);
            assertThat(Texts.read(text).pieces())
                    .isEqualTo(alone(request(1, 80)).pieces());
            Texts.generate(generator, request(2, 80));
            assertThat(source.asked).isEmpty();
            assertThat(generator.statistics().prefill()).isEqualTo(new Prefill(0, 1));
            generators.clock().addAndGet(Duration.ofSeconds(1).toNanos());
            Generation later = Texts.submit(generator, request(3, 80));
            source.asked.take().done().accept(new Fetched(0, 0, false));
            Texts.read(later);
        }
        assertThat(source.closed).isTrue();
        assertThat(decoder.open()).isZero();
    }

    @Test
    void equalPromptsAreAskedForOnce() throws InterruptedException {
        try (var reader = reader()) {
            var source = new ReaderSource(reader);
            try (var generator = generators(4, 4).open(() -> decoder, source)) {
                List<Generation> texts = Stream.generate(() -> Texts.submit(generator, request(1, 80)))
                        .limit(4)
                        .toList();
                Whole alone = alone(request(1, 80));
                for (Generation text : texts) {
                    assertThat(Texts.read(text).pieces()).isEqualTo(alone.pieces());
                }
                assertThat(source.asked).hasValue(1);
            }
        }
    }

    @Test
    void promptsWaitForRoomInTheCache() throws InterruptedException {
        var source = new HeldSource();
        try (var generator = generators(1, 1).open(() -> decoder, source)) {
            List<Generation> texts = IntStream.range(0, 3)
                    .mapToObj(seed -> Texts.submit(generator, request(seed, 80)))
                    .toList();
            for (int i = 0; i < texts.size(); i++) {
                Asked asked = source.asked.take();
                assertThat(source.asked).isEmpty();
                fill(asked, 1);
                asked.done().accept(new Fetched(1, 0, false));
                assertThat(Texts.read(texts.get(i)).pieces())
                        .isEqualTo(alone(request(i, 80)).pieces());
            }
            assertThat(generator.statistics().promptTokens()).isEqualTo(3 * (80 - BLOCK));
        }
    }

    @Test
    void cancelledWhileItIsAskedFor() throws InterruptedException {
        var source = new HeldSource();
        try (var generator = generators(1, 4).open(() -> decoder, source)) {
            Generation text = Texts.submit(generator, request(1, 80));
            Asked asked = source.asked.take();
            text.cancel();
            fill(asked, 1);
            asked.done().accept(new Fetched(1, 0, true));
            assertThat(Texts.read(text).reason()).isEqualTo(FinishReason.CANCELLED);
            assertThat(source.cancelled).hasValue(1);
            assertThat(generator.waiting()).isZero();
            assertThat(generator.statistics().prefill()).isEqualTo(new Prefill(BLOCK, 0));
        }
        assertThat(decoder.open()).isZero();
    }

    @Test
    void anEqualPromptGoesOnWhenTheOneThatWasAskedForIsCancelled() throws InterruptedException {
        var source = new HeldSource();
        try (var generator = generators(1, 4).open(() -> decoder, source)) {
            Generation first = Texts.submit(generator, request(1, 80));
            Asked asked = source.asked.take();
            Generation second = Texts.submit(generator, request(1, 80));
            first.cancel();
            asked.done().accept(new Fetched(0, 0, false));
            assertThat(Texts.read(first).reason()).isEqualTo(FinishReason.CANCELLED);
            source.asked.take().done().accept(new Fetched(0, 0, false));
            assertThat(Texts.read(second).pieces())
                    .isEqualTo(alone(request(1, 80)).pieces());
        }
    }

    @Test
    void closingFailsWhatIsAskedForAndFreesItsMemory() throws InterruptedException {
        var source = new HeldSource();
        List<Generation> texts;
        try (var generator = generators(1, 1).open(() -> decoder, source)) {
            texts = IntStream.range(0, 2)
                    .mapToObj(seed -> Texts.submit(generator, request(seed, 80)))
                    .toList();
            assertThat(source.asked.take()).isNotNull().satisfies(source.asked::add);
        }
        for (Generation text : texts) {
            assertThat(Texts.read(text).failure().failure().kind()).isEqualTo(GenerationFailure.Kind.CLOSED);
        }
        assertThat(decoder.open()).isZero();
    }

    @Test
    void aPromptWaitsWithItsBlocksForASlot() throws InterruptedException {
        var source = new HeldSource();
        try (var generator = generators(1, 1).open(() -> decoder, source)) {
            Generation first = Texts.submit(generator, request(1, 80));
            source.asked.take().done().accept(new Fetched(0, 0, false));
            Texts.read(first);
            int before = (int) generator.statistics().promptTokens();
            List<Generation> texts = IntStream.of(1, 2)
                    .mapToObj(seed -> Texts.submit(generator, request(seed, 80)))
                    .toList();
            source.asked.take().done().accept(new Fetched(0, 0, false));
            Texts.read(texts.get(0));
            Texts.read(texts.get(1));
            assertThat(generator.statistics().promptTokens() - before).isEqualTo(80 - BLOCK + 80);
        }
    }

    @Test
    void withoutRoomForBlocksAllIsReadHere() throws InterruptedException {
        try (var reader = reader();
                var generator = generators(1, 0).open(() -> decoder, new ReaderSource(reader))) {
            assertThat(Texts.generate(generator, request(1, 80)).pieces())
                    .isEqualTo(alone(request(1, 80)).pieces());
            assertThat(generator.statistics().promptTokens()).isEqualTo(80);
        }
    }

    @Test
    void aPromptIsAskedForAsFarAsTheCacheReaches() throws InterruptedException {
        GenerationRequest longer = request(1, 200);
        var alone = FakeGenerators.one().withContext(300);
        var source = new HeldSource();
        try (var generator = generators(1, 2).withContext(300).open(() -> decoder, source);
                var other = alone.open(() -> FakeDecoder.running(FakeModels::mixed))) {
            Generation text = Texts.submit(generator, longer);
            Asked asked = source.asked.take();
            assertThat(asked.room()).hasSize(2);
            assertThat(asked.prompt()).hasSize(2 * BLOCK + 2);
            fill(asked, 2);
            asked.done().accept(new Fetched(2, 0, false));
            assertThat(Texts.read(text).pieces())
                    .isEqualTo(Texts.generate(other, longer).pieces());
            assertThat(generator.statistics().promptTokens()).isEqualTo(200 - 2 * BLOCK);
        }
    }

    @Test
    void ofAPartThatCameOnlyTheRestIsReadHere() throws InterruptedException {
        GenerationRequest longer = request(1, 200);
        var source = new HeldSource();
        try (var generator = generators(1, 4).withContext(300).open(() -> decoder, source)) {
            Generation text = Texts.submit(generator, longer);
            Asked asked = source.asked.take();
            fill(asked, 1);
            asked.done().accept(new Fetched(1, 0, true));
            Texts.read(text);
            assertThat(generator.statistics().promptTokens()).isEqualTo(200 - BLOCK);
            assertThat(generator.statistics().prefill()).isEqualTo(new Prefill(BLOCK, 1));
        }
        assertThat(decoder.open()).isZero();
    }

    @Test
    void whatIsReadForOthersIsNotAskedForAgain() throws InterruptedException {
        var source = new HeldSource();
        int[] prompt = request(1, 80).prompt();
        try (var first = generators(1, 4).open(() -> decoder, source);
                var second =
                        generators(1, 4).open(() -> FakeDecoder.running(FakeModels::mixed), new ReaderSource(first))) {
            Whole text = Texts.generate(second, GenerationRequest.of(Arrays.copyOf(prompt, 80), 5, Sampling.GREEDY));
            assertThat(text.pieces()).isEqualTo(alone(request(1, 80)).pieces());
            assertThat(source.asked).isEmpty();
        }
    }
}
