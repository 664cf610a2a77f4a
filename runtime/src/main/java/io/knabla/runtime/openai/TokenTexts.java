package io.knabla.runtime.openai;

import io.knabla.functions.tokenizer.Tokenizer;

/** Texts of single tokens as they are within a text; bytes that are no whole character are U+FFFD. */
record TokenTexts(Tokenizer tokenizer) {
    String text(int id) {
        String once = tokenizer.decode(new int[] {id}, false);
        // At the beginning of a text some tokenizers drop the blank that a token begins with.
        String twice = tokenizer.decode(new int[] {id, id}, false);
        return twice.startsWith(once) ? twice.substring(once.length()) : once;
    }
}
