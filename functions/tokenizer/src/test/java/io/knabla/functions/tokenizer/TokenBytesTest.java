package io.knabla.functions.tokenizer;

import static io.knabla.functions.tokenizer.compile.Fixtures.list;
import static io.knabla.functions.tokenizer.compile.Fixtures.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.tokenizer.compile.Fixtures;
import io.knabla.functions.tokenizer.decode.TokenBytes;
import io.knabla.functions.tokenizer.tree.Tree;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes of single tokens are together those of the text, but for a blank before it. */
class TokenBytesTest {
    /** Pieces of words, words without blanks, and one that replaces what several byte tokens are together. */
    private static final List<String> WITHOUT = List.of("bert", "bert_cased", "unknowns", "unigram_bytes");

    static Stream<String> without() {
        return WITHOUT.stream();
    }

    static Stream<String> names() {
        return Fixtures.NAMES.stream().filter(name -> !WITHOUT.contains(name));
    }

    @ParameterizedTest
    @MethodSource("names")
    void bytesOfTokensAreThoseOfTheText(String name) {
        Tokenizer tokenizer = Fixtures.tokenizer(name);
        TokenBytes bytes = tokenizer.bytes().orElseThrow();
        for (Tree text : list(Fixtures.json("texts"))) {
            int[] ids = tokenizer.encode(text(text), false).ids();
            var joined = new ByteArrayOutputStream();
            for (int id : ids) {
                joined.writeBytes(bytes.of(tokenizer.token(id)));
            }
            assertThat(joined.toString(StandardCharsets.UTF_8))
                    .isIn(tokenizer.decode(ids, false), " " + tokenizer.decode(ids, false));
        }
    }

    @ParameterizedTest
    @MethodSource("without")
    void tokensThatDependOnOthersHaveNoneOfTheirOwn(String name) {
        assertThat(Fixtures.tokenizer(name).bytes()).isEmpty();
    }
}
