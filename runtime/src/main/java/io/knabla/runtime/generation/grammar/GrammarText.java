package io.knabla.runtime.generation.grammar;

import io.knabla.runtime.generation.grammar.automaton.Reading;

/** A text of a grammar as its tokens are chosen. Depends on these tokens alone. For one thread at a time. */
public final class GrammarText {
    private final TokenGrammar grammar;
    private final TokenVocabulary vocabulary;
    private Reading reading;

    GrammarText(TokenGrammar grammar, TokenVocabulary vocabulary, Reading start) {
        this.grammar = grammar;
        this.vocabulary = vocabulary;
        this.reading = start;
    }

    /** Sets the logits of all tokens that cannot follow to negative infinity. */
    public void mask(float[] logits) {
        long[] mask = grammar.mask(reading);
        for (int word = 0; word < mask.length; word++) {
            long excluded = ~mask[word];
            while (excluded != 0) {
                int id = (word << 6) + Long.numberOfTrailingZeros(excluded);
                if (id < logits.length) {
                    logits[id] = Float.NEGATIVE_INFINITY;
                }
                excluded &= excluded - 1;
            }
        }
    }

    /** Adds a token that was not excluded. */
    public void add(int token) {
        if (!vocabulary.isEnd(token)) {
            reading = grammar.after(reading, vocabulary.bytes(token));
        }
    }

    /** Whether the text is complete, and nothing but its end can follow. */
    public boolean isAtItsEnd() {
        return reading.isLast();
    }
}
