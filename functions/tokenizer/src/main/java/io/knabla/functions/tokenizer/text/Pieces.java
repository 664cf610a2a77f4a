package io.knabla.functions.tokenizer.text;

/** Receives the pieces of a text in their order. */
public interface Pieces {
    /**
     * Receives a part of {@code text}, never an empty one.
     *
     * @param first whether the part begins where the whole text begins
     */
    void piece(String text, int from, int to, boolean first);
}
