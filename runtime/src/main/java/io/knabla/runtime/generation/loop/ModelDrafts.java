package io.knabla.runtime.generation.loop;

import io.knabla.functions.unit.generation.Speculation;
import io.knabla.runtime.generation.decode.Decoder;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Drafts what a small model finds most likely (Leviathan et al., Fast Inference from Transformers via Speculative
 * Decoding, 2023). Keeps in step with a text by comparing its tokens with those whose keys and values it has.
 */
final class ModelDrafts implements Drafts {
    /** Tokens of a prompt that are read in a step, so that other texts do not wait for long. */
    static final int PIECE = 256;

    private static final int[] NONE = {};

    private final Decoder decoder;
    private final float[] logits;
    private final int tokens;
    private final Slot[] slots;

    /** A slot of the decoder, and the tokens whose keys and values it holds. */
    private static final class Slot {
        final int index;
        final int[] tokens;
        int count;
        TextSequence text;

        Slot(int index, int context) {
            this.index = index;
            this.tokens = new int[context];
        }
    }

    /**
     * @param decoder of the small model, with {@value Speculation#MOST_TEXTS} slots; closed with this
     * @param own tokens of the small model's vocabulary
     * @param main tokens of the vocabulary of the model that verifies
     * @param context most tokens of a text
     */
    ModelDrafts(Decoder decoder, int own, int main, int context) {
        this.decoder = decoder;
        this.logits = new float[own];
        // Vocabularies of one tokenizer may be filled up to different sizes.
        this.tokens = Math.min(own, main);
        this.slots = IntStream.range(0, Speculation.MOST_TEXTS)
                .mapToObj(index -> new Slot(index, context))
                .toArray(Slot[]::new);
    }

    @Override
    public Optional<Supplier<int[]>> draft(TextSequence sequence, int most) {
        int length = sequence.draftable(most);
        return length > 0 ? slot(sequence).map(slot -> () -> draft(slot, sequence, length)) : Optional.empty();
    }

    private Optional<Slot> slot(TextSequence sequence) {
        Stream<Slot> own = Arrays.stream(slots).filter(slot -> slot.text == sequence);
        Stream<Slot> free = Arrays.stream(slots).filter(slot -> slot.text == null);
        return Stream.concat(own, free).findFirst();
    }

    private int[] draft(Slot slot, TextSequence sequence, int length) {
        slot.text = sequence;
        // The last token is read in any case, for its logits are those of the first draft token.
        int kept = Math.min(sequence.common(slot.tokens, slot.count), sequence.tokens() - 1);
        int[] ahead = sequence.range(kept, Math.min(sequence.tokens(), kept + PIECE));
        if (ahead.length > Speculation.MOST_TOKENS + 1) {
            // Without a draft, so that the time of a prompt is not taken for that of each draft.
            read(slot, kept, ahead, false);
            return NONE;
        }
        int[] draft = new int[length];
        read(slot, kept, ahead, true);
        draft[0] = mostLikely();
        for (int i = 1; i < length; i++) {
            read(slot, slot.count, new int[] {draft[i - 1]}, true);
            draft[i] = mostLikely();
        }
        return draft;
    }

    private void read(Slot slot, int kept, int[] next, boolean wanted) {
        System.arraycopy(next, 0, slot.tokens, kept, next.length);
        slot.count = kept + next.length;
        // A token that the small model lacks is read as another: what follows is a guess in any case.
        int[] known = Arrays.stream(next)
                .map(token -> Math.min(token, logits.length - 1))
                .toArray();
        decoder.prefill(slot.index, kept, known, wanted);
    }

    private int mostLikely() {
        decoder.logits(0, logits);
        int best = 0;
        for (int token = 1; token < tokens; token++) {
            if (logits[token] > logits[best]) {
                best = token;
            }
        }
        return best;
    }

    @Override
    public void release(TextSequence sequence) {
        for (Slot slot : slots) {
            if (slot.text == sequence) {
                slot.text = null;
                slot.count = 0;
                decoder.release(slot.index);
            }
        }
    }

    @Override
    public void close() {
        decoder.close();
    }
}
