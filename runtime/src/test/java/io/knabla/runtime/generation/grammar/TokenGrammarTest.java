package io.knabla.runtime.generation.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests masks: they depend on the text alone, and what is kept of them is bounded. */
class TokenGrammarTest {
    private static final TokenVocabulary VOCABULARY = TestVocabularies.small();

    /** Masks that were computed for another place of the same kind are those of the place itself. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"string\",\"minLength\":150,\"maxLength\":300}",
                "{\"type\":\"array\",\"items\":{\"type\":\"null\"},\"minItems\":90,\"maxItems\":170}",
                "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"n\":{\"type\":\"integer\"}}}"
            })
    void sharedMasksAreThoseOfTheirPlaces(String schema) {
        GrammarText shared = RandomTexts.grammar(VOCABULARY, schema).text();
        var random = new Random(1);
        int[] written = new int[320];
        int steps = 0;
        while (!shared.isAtItsEnd() && steps < written.length) {
            int[] allowed = RandomTexts.allowed(shared, VOCABULARY.size());
            if (steps % 10 == 0 || steps > 290) {
                GrammarText alone = RandomTexts.grammar(VOCABULARY, schema).text();
                for (int i = 0; i < steps; i++) {
                    alone.add(written[i]);
                }
                assertThat(RandomTexts.allowed(alone, VOCABULARY.size())).isEqualTo(allowed);
            }
            int token = allowed[random.nextInt(allowed.length)];
            if (token == TestVocabularies.END) {
                return;
            }
            written[steps++] = token;
            shared.add(token);
        }
    }

    @Test
    void keptMasksAreBounded() {
        var cache = new MaskCache(10_000);
        TokenGrammar grammar = RandomTexts.grammar(VOCABULARY, "{\"type\":\"null\"}");
        for (int i = 0; i < 100; i++) {
            cache.get(new MaskCache.Key(grammar, new int[] {i}), () -> new long[100]);
            assertThat(cache.bytes()).isLessThan(11_000);
        }
        assertThat(cache.get(new MaskCache.Key(grammar, new int[] {99}), () -> new long[0]))
                .hasSize(100);
        assertThat(cache.get(new MaskCache.Key(grammar, new int[] {0}), () -> new long[0]))
                .isEmpty();
    }

    /** With far too many ways to read a text, tokens of one byte are found all the same. */
    @Test
    void limitedWorkLeavesSingleBytes() {
        TokenVocabulary large = TestVocabularies.large(20_000);
        var options = new StringBuilder("{\"anyOf\":[");
        for (int i = 0; i < 250; i++) {
            options.append("{\"type\":\"string\",\"pattern\":\"^[^%c]{%d,}$\"},".formatted('a' + i % 26, i));
        }
        TokenGrammar grammar = RandomTexts.grammar(
                large, options.append("{\"type\":\"null\"}]}").toString());
        GrammarText text = grammar.text();
        text.add(1 + '"');
        var allowed = BitSet.valueOf(new long[0]);
        for (int token : RandomTexts.allowed(text, large.size())) {
            allowed.set(token);
        }
        for (char one = '#'; one < 'Z'; one++) {
            assertThat(allowed.get(1 + one)).isTrue();
        }
        assertThat(allowed.get(1 + '~')).isTrue();
        assertThat(allowed.cardinality()).isLessThan(large.size() - 300);
    }

    @Test
    void whatTheTokensCannotWriteIsLeftOut() {
        byte[][] bytes = new byte[130][];
        for (int id = 0; id < bytes.length; id++) {
            bytes[id] = id < 33 || id == 1 + 'b' ? new byte[0] : new byte[] {(byte) (id - 1)};
        }
        TokenVocabulary ascii = TokenVocabulary.of(bytes, List.of(TestVocabularies.END));
        GrammarText text =
                RandomTexts.grammar(ascii, "{\"enum\":[\"ab\",\"aé\",\"ac\"]}").text();
        text.add(1 + '"');
        text.add(1 + 'a');
        assertThat(RandomTexts.allowed(text, ascii.size())).containsExactly(1 + 'c');
        assertThat(RandomTexts.open(ascii, "{\"const\":\"b\"}")).isInstanceOf(Grammars.Opened.Refused.class);
    }
}
