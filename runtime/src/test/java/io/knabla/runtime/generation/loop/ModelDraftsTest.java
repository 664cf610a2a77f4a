package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Sampling;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Drafts of a model that counts from 3 to 7 and again. */
class ModelDraftsTest {
    private static final int CONTEXT = 1024;
    private static final int MOST = 3;

    private final FakeDecoder decoder = FakeDecoder.running(ModelDraftsTest::counting);
    private final ModelDrafts drafts = new ModelDrafts(decoder, TestTokenizer.SIZE, TestTokenizer.SIZE, CONTEXT);

    private static float[] counting(List<Integer> tokens) {
        return FakeModels.only(3 + (tokens.getLast() - 2) % 5);
    }

    /** A text that was read and has chosen its first token. */
    private static TextSequence text(int prompt, int token) {
        int[] tokens = IntStream.range(0, prompt).map(i -> 3 + i % 5).toArray();
        var request = new GenerationRequest(tokens, 100, Sampling.GREEDY, List.of(), 0, true);
        var sequence = new TextSequence(request, TestTokenizer.open(), CONTEXT, new TextTimes(0));
        sequence.kept = prompt;
        add(sequence, token);
        return sequence;
    }

    private static void add(TextSequence sequence, int... tokens) {
        for (int token : tokens) {
            sequence.add(new GeneratedToken(token, 0, List.of()));
        }
        sequence.kept = sequence.tokens() - 1;
    }

    private int[] draft(TextSequence sequence) {
        return drafts.draft(sequence, MOST).orElseThrow().get();
    }

    @Test
    void draftsWhatIsMostLikelyAndKeepsInStep() {
        TextSequence text = text(5, 3);
        assertThat(draft(text)).containsExactly(4, 5, 6);
        assertThat(decoder.runs()).isEqualTo(MOST);

        add(text, 4, 9, 5);
        assertThat(draft(text)).containsExactly(6, 7, 3);
        assertThat(decoder.runs()).isEqualTo(2 * MOST);

        add(text, 6, 7, 3, 4);
        assertThat(draft(text)).containsExactly(5, 6, 7);
        assertThat(decoder.runs()).isEqualTo(3 * MOST);
    }

    @Test
    void aLongPromptIsReadInPiecesWithoutDrafts() {
        TextSequence text = text(2 * ModelDrafts.PIECE + 100, 3);
        for (int piece = 0; piece < 3; piece++) {
            assertThat(draft(text)).isEmpty();
            add(text, 3);
        }
        assertThat(draft(text)).containsExactly(4, 5, 6);
        assertThat(decoder.runs()).isEqualTo(3 + MOST);
    }

    @Test
    void twoTextsHaveASlotEachAndAThirdAfterThem() {
        TextSequence one = text(5, 3);
        TextSequence other = text(7, 6);
        TextSequence third = text(6, 5);
        assertThat(draft(one)).containsExactly(4, 5, 6);
        assertThat(draft(other)).containsExactly(7, 3, 4);
        assertThat(drafts.draft(third, MOST)).isEmpty();

        drafts.release(one);

        assertThat(draft(third)).containsExactly(6, 7, 3);
        add(other, 7);
        assertThat(draft(other)).containsExactly(3, 4, 5);
    }

    @Test
    void aDraftLeavesRoomForTheTokenAfterIt() {
        TextSequence text = text(5, 3);
        add(text, IntStream.range(0, 96).map(i -> 3).toArray());
        assertThat(draft(text)).isEmpty();
        assertThat(draft(text)).hasSize(2);
        add(text, 3, 3);
        assertThat(drafts.draft(text, MOST)).isEmpty();
    }

    /** Tokens that only one of two vocabularies has are neither read nor drafted. */
    @Test
    void vocabulariesMayBeFilledUpToOtherSizes() {
        var smaller = new ModelDrafts(
                FakeDecoder.running(tokens -> {
                    assertThat(tokens).allMatch(token -> token < 10);
                    float[] logits = new float[10];
                    logits[8] = 1;
                    logits[9] = 2;
                    return logits;
                }),
                10,
                9,
                CONTEXT);

        assertThat(smaller.draft(text(5, 40), MOST).orElseThrow().get()).containsExactly(8, 8, 8);
    }
}
