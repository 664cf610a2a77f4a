package io.knabla.functions.tokenizer;

import io.knabla.functions.tokenizer.decode.DecoderChain;

/**
 * Decodes ids as they are generated. All texts together, that of {@link #finish()} included, are what
 * {@link Tokenizer#decode} makes of all ids. For one thread.
 */
public final class TextStream {
    private final Tokenizer tokenizer;
    private final boolean skipSpecial;
    private final DecoderChain chain;

    TextStream(Tokenizer tokenizer, boolean skipSpecial, DecoderChain chain) {
        this.tokenizer = tokenizer;
        this.skipSpecial = skipSpecial;
        this.chain = chain;
    }

    /**
     * Adds an id and returns the text that became certain: whole characters, often none. An id without a token adds
     * nothing.
     */
    public String accept(int id) {
        String token = tokenizer.token(id);
        return token.isEmpty() || skipSpecial && tokenizer.isSpecial(id) ? "" : chain.accept(token);
    }

    /** Returns the text that was held back; bytes that are no whole character become U+FFFD. To be called once. */
    public String finish() {
        return chain.finish();
    }
}
