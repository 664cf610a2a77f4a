package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.decode.Decoder;

/**
 * Keeps keys and values of interrupted sequences, up to a bound. What does not fit is computed again, in the same runs
 * of a prompt's parts and of single tokens, so that it is the same to the last bit.
 */
final class SpareMemory {
    private final long tokens;
    private long used;

    /** @param tokens whose keys and values it may hold */
    SpareMemory(long tokens) {
        this.tokens = tokens;
    }

    void save(TextSequence sequence, int slot, Decoder decoder) {
        if (sequence.kept > 0 && used + sequence.kept <= tokens) {
            used += sequence.kept;
            sequence.saved = decoder.copyOut(slot, 0, sequence.kept);
        } else {
            sequence.forget();
        }
        decoder.release(slot);
    }

    void restore(TextSequence sequence, int slot, Decoder decoder) {
        if (sequence.saved != null) {
            decoder.copyIn(sequence.saved, slot, 0);
            sequence.saved.close();
            sequence.saved = null;
            used -= sequence.kept;
        }
    }

    /** Frees what a sequence has here; it will not go on. */
    void drop(TextSequence sequence) {
        if (sequence.saved != null) {
            used -= sequence.kept;
            sequence.forget();
        }
    }
}
