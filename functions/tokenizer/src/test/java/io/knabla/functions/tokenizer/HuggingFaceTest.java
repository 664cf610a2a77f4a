package io.knabla.functions.tokenizer;

import static io.knabla.functions.tokenizer.compile.Fixtures.flag;
import static io.knabla.functions.tokenizer.compile.Fixtures.ids;
import static io.knabla.functions.tokenizer.compile.Fixtures.list;
import static io.knabla.functions.tokenizer.compile.Fixtures.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.tokenizer.compile.Fixtures;
import io.knabla.functions.tokenizer.tree.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares with what Hugging Face's tokenizers made of the same texts and ids. */
class HuggingFaceTest {
    private static final List<Tree> TEXTS = list(Fixtures.json("texts"));

    static Stream<String> names() {
        return Fixtures.NAMES.stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void encodesAndDecodesTexts(String name) {
        Tokenizer tokenizer = Fixtures.tokenizer(name);
        List<Tree> expected = list(Fixtures.json(name + ".expected"), "texts");
        var differences = new ArrayList<String>();
        for (int i = 0; i < TEXTS.size(); i++) {
            String text = text(TEXTS.get(i));
            int[] ids = ids(list(expected.get(i)).getFirst());
            int[] found = tokenizer.encode(text, false).ids();
            String decoded = tokenizer.decode(ids, false);
            if (!Arrays.equals(found, ids)) {
                differences.add("'%s': %s, expected %s".formatted(text, Arrays.toString(found), Arrays.toString(ids)));
            }
            if (!decoded.equals(text(list(expected.get(i)).getLast()))) {
                differences.add("'%s', expected '%s'"
                        .formatted(decoded, text(list(expected.get(i)).getLast())));
            }
        }
        assertThat(differences).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void arrangesPairsAndSpecialTokens(String name) {
        Tokenizer tokenizer = Fixtures.tokenizer(name);
        for (Tree pair : list(Fixtures.json(name + ".expected"), "pairs")) {
            List<Tree> parts = list(pair);
            String first = text(parts.get(0));
            boolean special = flag(parts.get(2));
            Encoding both = tokenizer.encode(first, text(parts.get(1)), special);
            Encoding one = tokenizer.encode(first, special);

            assertThat(both.ids()).isEqualTo(ids(parts.get(3)));
            assertThat(both.typeIds()).isEqualTo(ids(parts.get(4)));
            assertThat(one.ids()).isEqualTo(ids(parts.get(5)));
            assertThat(one.typeIds()).isEqualTo(ids(parts.get(6)));
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void decodesAnyIdsWithoutSpecialTokens(String name) {
        Tokenizer tokenizer = Fixtures.tokenizer(name);
        for (Tree pair : list(Fixtures.json(name + ".expected"), "decoded")) {
            int[] ids = ids(list(pair).getFirst());

            assertThat(tokenizer.decode(ids, true)).isEqualTo(text(list(pair).getLast()));
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void streamsWhatItDecodes(String name) {
        Tokenizer tokenizer = Fixtures.tokenizer(name);
        for (Tree text : TEXTS) {
            int[] ids = tokenizer.encode(text(text), true).ids();
            TextStream stream = tokenizer.stream(false);
            var parts = new StringBuilder();
            String decoded = tokenizer.decode(ids, false);
            for (int id : ids) {
                parts.append(stream.accept(id));
                assertThat(decoded).startsWith(parts);
            }
            assertThat(parts.append(stream.finish())).hasToString(decoded);
        }
    }
}
