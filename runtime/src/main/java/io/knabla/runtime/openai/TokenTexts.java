package io.knabla.runtime.openai;

import io.knabla.functions.tokenizer.Tokenizer;

/** Texts of single tokens; bytes that are no whole character are U+FFFD. */
record TokenTexts(Tokenizer tokenizer) {
    String text(int id) {
        return tokenizer.decode(new int[] {id}, false);
    }
}
