package io.knabla.runtime.generation.loop;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.tokenizer.compile.Compiled;
import io.knabla.functions.tokenizer.compile.TokenizerCompiler;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Tokenizer of as many tokens as {@link TestTokenizer} and the same end, with which JSON can be written. */
public final class JsonTokenizer {
    private static final String CHARACTERS =
            "{}[]\":,.+-\\_ 0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final List<String> SPECIAL = List.of("<unk>", "<s>", "</s>");
    private static final List<String> WORDS = List.of(
            "<0xC3>", "<0xA9>", "\":", "\",", "{\"", "\"}", "true", "null", "\":\"", "],", "00", "}]", "()", "#",
            "name", "\"]", "[]", "ab");

    private JsonTokenizer() {}

    public static Tokenizer open() {
        return Tokenizer.of(ByteBuffer.wrap(table()));
    }

    public static byte[] table() {
        return switch (TokenizerCompiler.compile(json().getBytes(StandardCharsets.UTF_8))) {
            case Compiled.Valid(var table) -> table;
            case Compiled.Invalid(var faults) -> throw new AssertionError(faults);
        };
    }

    private static List<String> tokens() {
        Stream<String> characters = CHARACTERS.chars().mapToObj(one -> String.valueOf((char) one));
        return Stream.of(SPECIAL.stream(), characters, WORDS.stream())
                .flatMap(all -> all)
                .limit(TestTokenizer.SIZE)
                .toList();
    }

    private static String json() {
        List<String> entries = new ArrayList<>();
        List<String> tokens = tokens();
        for (int id = 0; id < tokens.size(); id++) {
            String token = tokens.get(id).replace("\\", "\\\\").replace("\"", "\\\"");
            entries.add("\"%s\": %d".formatted(token, id));
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
}
