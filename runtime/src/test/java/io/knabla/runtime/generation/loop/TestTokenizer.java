package io.knabla.runtime.generation.loop;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.tokenizer.compile.Compiled;
import io.knabla.functions.tokenizer.compile.TokenizerCompiler;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Tokenizer of 96 tokens: three special ones, the bytes of a euro sign, letters, and words of other letters. */
public final class TestTokenizer {
    public static final int SIZE = 96;
    public static final int END = 2;

    /** Its two next tokens complete it. */
    public static final int EURO = 3;

    private static final int LETTERS = 6;

    private TestTokenizer() {}

    /** Id of a letter, a to z. */
    static int letter(char letter) {
        return LETTERS + letter - 'a';
    }

    public static int[] letters(String text) {
        return text.chars().map(letter -> letter((char) letter)).toArray();
    }

    static Tokenizer open() {
        return Tokenizer.of(ByteBuffer.wrap(table()));
    }

    public static byte[] table() {
        return switch (TokenizerCompiler.compile(json().getBytes(StandardCharsets.UTF_8))) {
            case Compiled.Valid(var table) -> table;
            case Compiled.Invalid(var faults) -> throw new AssertionError(faults);
        };
    }

    private static String json() {
        List<String> entries = new ArrayList<>();
        for (int id = 0; id < SIZE; id++) {
            entries.add("\"%s\": %d".formatted(token(id), id));
        }
        return """
                {"version": "1.0", "normalizer": null, "pre_tokenizer": null, "post_processor": null,
                 "added_tokens": [
                  {"id": 2, "content": "</s>", "single_word": false, "lstrip": false, "rstrip": false,
                   "normalized": false, "special": true}],
                 "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]},
                 "model": {"type": "BPE", "unk_token": "<unk>", "byte_fallback": false,
                  "vocab": {%s}, "merges": []}}
                """.formatted(String.join(", ", entries));
    }

    private static String token(int id) {
        List<String> first = List.of("<unk>", "<s>", "</s>", "<0xE2>", "<0x82>", "<0xAC>");
        if (id < first.size()) {
            return first.get(id);
        }
        int letter = id - LETTERS;
        return letter < 26 ? String.valueOf((char) ('a' + letter)) : " W" + letter;
    }
}
