package io.knabla.functions.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.tokenizer.compile.Compiled;
import io.knabla.functions.tokenizer.compile.Fixtures;
import io.knabla.functions.tokenizer.compile.TokenizerCompiler;
import io.knabla.functions.tokenizer.pattern.TooMuchWorkException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what Hugging Face's library does not say: broken texts, long ones, streams. */
class TokenizerTest {
    private static final Tokenizer GPT2 = Fixtures.tokenizer("gpt2");

    @Property(tries = 300)
    void bytesSurviveTheRoundTrip(@ForAll String text) {
        String repaired = new String(text.getBytes(StandardCharsets.UTF_16), StandardCharsets.UTF_16);

        assertThat(GPT2.decode(GPT2.encode(text, false).ids(), false)).isEqualTo(repaired);
    }

    @Test
    void readsLoneSurrogatesAsReplacementCharacters() {
        assertThat(GPT2.encode("a\ud800b\udc00\ud83d", false).ids())
                .isEqualTo(GPT2.encode("a\ufffdb\ufffd\ufffd", false).ids());
        assertThat(GPT2.encode("\udc00\ud83d\ude00", false).ids())
                .isEqualTo(GPT2.encode("\ufffd😀", false).ids());
    }

    @Test
    void streamsWholeCharacters() {
        TextStream stream = GPT2.stream(true);
        int[] ids = GPT2.encode("😀!", false).ids();

        assertThat(ids).hasSize(4);
        assertThat(stream.accept(ids[0]) + stream.accept(ids[1])).isEmpty();
        assertThat(stream.accept(ids[2])).isEqualTo("😀");
        assertThat(stream.accept(ids[3])).isEqualTo("!");
        assertThat(stream.accept(ids[0])).isEmpty();
        assertThat(stream.finish()).isEqualTo("\ufffd");
    }

    @Property(tries = 300)
    void streamsAnyIdsLikeItDecodesThem(@ForAll long seed) {
        Random random = new Random(seed);
        Tokenizer tokenizer = switch (random.nextInt(3)) {
            case 0 -> GPT2;
            case 1 -> LLAMA2;
            default -> BERT;
        };
        int[] ids = random.ints(random.nextInt(30), 0, tokenizer.size()).toArray();
        TextStream stream = tokenizer.stream(false);
        var parts = new StringBuilder();
        for (int id : ids) {
            parts.append(stream.accept(id));
        }

        assertThat(parts.append(stream.finish())).hasToString(tokenizer.decode(ids, false));
    }

    private static final Tokenizer LLAMA2 = Fixtures.tokenizer("llama2");
    private static final Tokenizer BERT = Fixtures.tokenizer("bert");

    @ParameterizedTest
    @ValueSource(strings = {"gpt2", "llama2", "bert", "unigram"})
    void longWordsTakeLinearTime(String name) {
        Tokenizer tokenizer = Fixtures.tokenizer(name);
        String word = "abcdefghij".repeat(20_000);

        assertThat(org.junit.jupiter.api.Assertions.assertTimeout(
                        Duration.ofSeconds(10),
                        () -> tokenizer.encode(word, false).ids()))
                .isNotEmpty();
    }

    @Test
    void shortAndLongWordsAreMergedTheSameWay() {
        // Pre-tokenizers split at spaces, so that a word alone and the same one in a longer word differ in nothing
        // else.
        String word = "rightsandfreedom";
        int[] once = LLAMA2.encode(word, false).ids();
        int[] often = LLAMA2.encode((word + " ").repeat(20).strip(), false).ids();

        assertThat(often).startsWith(once).hasSize(once.length * 20);
    }

    @Test
    void catastrophicExpressionsEndWithAnError() {
        String json = """
                {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "a*a*a*a*a*b"}, "behavior": "Isolated", "invert": false},
                 "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}
                """;
        byte[] table = ((Compiled.Valid) TokenizerCompiler.compile(json.getBytes(StandardCharsets.UTF_8))).table();
        Tokenizer tokenizer = Tokenizer.of(ByteBuffer.wrap(table));

        assertThat(tokenizer.encode("aaa", false).ids()).containsExactly(0, 0, 0);
        assertThatThrownBy(() -> tokenizer.encode("a".repeat(5000), false)).isInstanceOf(TooMuchWorkException.class);
    }
}
