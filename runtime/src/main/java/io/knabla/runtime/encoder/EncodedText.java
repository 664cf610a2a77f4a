package io.knabla.runtime.encoder;

import io.knabla.functions.tokenizer.Encoding;

/**
 * A text that can be computed.
 *
 * @param tokens one or more
 * @param leftOut first tokens that do not count for the text's vector, those of its prompt; 0 or more
 */
public record EncodedText(Encoding tokens, int leftOut) {
    /** Number of tokens. */
    public int length() {
        return tokens.ids().length;
    }
}
