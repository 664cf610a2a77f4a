package io.knabla.runtime.openai;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.tokenizer.decode.TokenBytes;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Single tokens as they are within a text.
 *
 * @param decoder empty where the bytes of a token depend on the tokens around it
 */
record TokenTexts(Tokenizer tokenizer, Optional<TokenBytes> decoder) {
    private static final String REPLACEMENT = "\ufffd";

    TokenTexts(Tokenizer tokenizer) {
        this(tokenizer, tokenizer.bytes());
    }

    /** Bytes that are no whole character are U+FFFD. */
    String text(int id) {
        String once = tokenizer.decode(new int[] {id}, false);
        // At the beginning of a text some tokenizers drop the blank that a token begins with.
        String twice = tokenizer.decode(new int[] {id, id}, false);
        return twice.startsWith(once) ? twice.substring(once.length()) : once;
    }

    /** What the token adds to the UTF-8 of a text, which may be a part of a character; empty if it is not known. */
    Optional<byte[]> bytes(int id) {
        if (decoder.isPresent()) {
            return Optional.of(decoder.get().of(tokenizer.token(id)));
        }
        String text = text(id);
        return text.contains(REPLACEMENT) ? Optional.empty() : Optional.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
