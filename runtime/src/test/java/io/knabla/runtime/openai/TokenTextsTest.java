package io.knabla.runtime.openai;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.tokenizer.compile.Compiled;
import io.knabla.functions.tokenizer.compile.TokenizerCompiler;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Bytes of single tokens. */
class TokenTextsTest {
    /** Those of the byte alphabet are the first three bytes of an emoji, and its last. */
    private static TokenTexts of(String decoder) {
        String json = """
                {"version": "1.0", "normalizer": null, "pre_tokenizer": null, "post_processor": null,
                 "added_tokens": [], "decoder": %s,
                 "model": {"type": "BPE", "unk_token": null, "byte_fallback": false,
                  "vocab": {"ðŁĺ": 0, "Ģ": 1, "a": 2, "\ufffd": 3}, "merges": []}}
                """.formatted(decoder);
        return switch (TokenizerCompiler.compile(json.getBytes(StandardCharsets.UTF_8))) {
            case Compiled.Valid(var table) -> new TokenTexts(Tokenizer.of(ByteBuffer.wrap(table)));
            case Compiled.Invalid(var faults) -> throw new AssertionError(faults);
        };
    }

    @Test
    void partsOfACharacterTogetherAreItsBytes() {
        TokenTexts texts = of(
                "{\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"trim_offsets\": true, \"use_regex\": true}");
        assertThat(texts.bytes(0)).hasValue(new byte[] {(byte) 240, (byte) 159, (byte) 152});
        assertThat(texts.bytes(1)).hasValue(new byte[] {(byte) 128});
        assertThat(texts.bytes(2)).hasValue(new byte[] {'a'});
        assertThat(texts.text(1)).isEqualTo("\ufffd");
    }

    @Test
    void whereTokensDependOnOthersOnlyWholeTextsHaveBytes() {
        TokenTexts texts = of("{\"type\": \"WordPiece\", \"prefix\": \"##\", \"cleanup\": false}");
        assertThat(texts.bytes(2)).hasValue(" a".getBytes(StandardCharsets.UTF_8));
        assertThat(texts.bytes(3)).isEmpty();
    }
}
