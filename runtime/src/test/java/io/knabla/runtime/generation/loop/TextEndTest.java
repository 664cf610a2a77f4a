package io.knabla.runtime.generation.loop;

import static io.knabla.runtime.generation.loop.TestTokenizer.EURO;
import static io.knabla.runtime.generation.loop.TestTokenizer.letters;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GenerationEvent.Finished;
import io.knabla.runtime.generation.GenerationEvent.Piece;
import io.knabla.runtime.generation.GenerationFailure;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.Submission;
import io.knabla.runtime.generation.TokenUsage;
import io.knabla.runtime.generation.loop.Texts.Whole;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Pieces of texts, and where texts end. */
class TextEndTest {
    private static final int[] PROMPT = {1};

    private static Whole text(Function<List<Integer>, float[]> model, GenerationRequest request)
            throws InterruptedException {
        try (var generator = FakeGenerators.one().open(() -> FakeDecoder.running(model))) {
            return Texts.generate(generator, request);
        }
    }

    private static GenerationRequest request(int most, String... stop) {
        return new GenerationRequest(PROMPT, most, Sampling.GREEDY, List.of(stop), -1, false);
    }

    @Test
    void endTokenIsCountedButNoPartOfTheText() throws InterruptedException {
        Whole text = text(FakeModels.saying(letters("hello")), request(50));
        assertThat(text.text()).isEqualTo("hello");
        assertThat(text.last()).isEqualTo(new Finished(FinishReason.STOP, new TokenUsage(1, 6, 0)));
    }

    @Test
    void mostTokensGiveLength() throws InterruptedException {
        Whole text = text(FakeModels.saying(letters("hello")), request(3));
        assertThat(text.text()).isEqualTo("hel");
        assertThat(text.last()).isEqualTo(new Finished(FinishReason.LENGTH, new TokenUsage(1, 3, 0)));
    }

    @Test
    void endOfTheContextGivesLength() throws InterruptedException {
        var endless = new GenerationRequest(PROMPT, 10_000, Sampling.GREEDY, List.of(), -1, true);
        Whole text = text(FakeModels.saying(), endless);
        assertThat(text.last())
                .isEqualTo(new Finished(FinishReason.LENGTH, new TokenUsage(1, TestUnits.CONTEXT - 1, 0)));
    }

    @Test
    void stopTextAcrossTokensEndsTheText() throws InterruptedException {
        Whole text = text(FakeModels.saying(letters("helloworld")), request(50, "xyz", "low"));
        assertThat(text.text()).isEqualTo("hel");
        assertThat(text.last()).isEqualTo(new Finished(FinishReason.STOP, new TokenUsage(1, 6, 0)));
        assertThat(text.tokens()).hasSize(6);
    }

    @Test
    void beginningOfAStopTextIsHeldBackUntilItGoesOnOtherwise() throws InterruptedException {
        Whole text = text(FakeModels.saying(letters("hello")), request(50, "llx", "lol"));
        assertThat(text.pieces().stream().map(Piece::text)).containsExactly("h", "e", "l", "lo");
        assertThat(text.ids())
                .containsExactly(
                        letters("hello")[0], letters("hello")[1], letters("l")[0], letters("l")[0], letters("o")[0]);
    }

    @Test
    void bytesOfACharacterComeTogether() throws InterruptedException {
        Whole text = text(FakeModels.saying(EURO, EURO + 1, EURO + 2), request(50));
        assertThat(text.pieces().stream().map(Piece::text)).containsExactly("€");
        assertThat(text.tokens()).hasSize(3);
    }

    @Test
    void stopTextInBytesThatWereHeldBackEndsTheText() throws InterruptedException {
        int[] euro = {letters("a")[0], EURO, EURO + 1, EURO + 2};
        Whole text = text(FakeModels.saying(euro), request(euro.length, "€"));
        assertThat(text.text()).isEqualTo("a");
        assertThat(text.last()).isEqualTo(new Finished(FinishReason.STOP, new TokenUsage(1, 4, 0)));
    }

    @Test
    void characterAtTheEndOfThePromptIsNoPartOfTheText() throws InterruptedException {
        var request = GenerationRequest.of(new int[] {7, EURO, EURO + 1, EURO + 2}, 2, Sampling.GREEDY);
        assertThat(text(_ -> FakeModels.only(letters("q")[0]), request).text()).isEqualTo("qq");
    }

    @Test
    void unfinishedCharacterIsReplaced() throws InterruptedException {
        Whole text = text(FakeModels.saying(EURO, EURO + 1), request(50));
        assertThat(text.text()).startsWith("\ufffd");
    }

    @Test
    void logitsThatAreNoNumbersFailOnlyTheirText() throws InterruptedException {
        Function<List<Integer>, float[]> model =
                sequence -> sequence.getFirst() == 9 && sequence.size() > 3 ? nan() : FakeModels.only(10);
        try (var generator = FakeGenerators.of(2, 10).open(() -> FakeDecoder.running(model))) {
            var bad = Texts.submit(generator, GenerationRequest.of(new int[] {9}, 40, Sampling.GREEDY));
            var good = Texts.submit(generator, GenerationRequest.of(new int[] {8}, 40, Sampling.GREEDY));
            assertThat(Texts.read(bad).failure().failure().kind()).isEqualTo(GenerationFailure.Kind.NOT_FINITE);
            assertThat(Texts.read(good).ids()).hasSize(40);
        }
    }

    private static float[] nan() {
        float[] logits = FakeModels.only(10);
        logits[77] = Float.NaN;
        return logits;
    }

    @Test
    void logprobsAreThoseOfTheModel() throws InterruptedException {
        var biased = new Sampling(0, 1, 0, 0, Sampling.Penalties.NONE, 0, Map.of(40, 100f));
        Whole text = text(_ -> FakeModels.only(10), new GenerationRequest(PROMPT, 1, biased, List.of(), 2, false));
        var token = text.tokens().getFirst();
        assertThat(token.id()).isEqualTo(40);
        assertThat(token.logprob()).isBetween(-20.1f, -20f);
        assertThat(token.alternatives()).hasSize(2);
        assertThat(token.alternatives().getFirst().id()).isEqualTo(10);
        assertThat(token.alternatives().getFirst().logprob()).isBetween(-1e-6f, 0f);
    }

    @Test
    void refusesWhatTheModelCannotAnswer() {
        try (var generator = FakeGenerators.one().open(() -> FakeDecoder.running(FakeModels.saying()))) {
            int context = TestUnits.CONTEXT;
            assertThat(generator.submit(GenerationRequest.of(new int[context], 1, Sampling.GREEDY)))
                    .isEqualTo(new Submission.PromptTooLong(context, context - 1));
            assertThat(generator.submit(GenerationRequest.of(new int[] {96}, 1, Sampling.GREEDY)))
                    .isEqualTo(new Submission.Invalid("token 96 is not one of this model; they are 0 to 95"));
        }
    }
}
