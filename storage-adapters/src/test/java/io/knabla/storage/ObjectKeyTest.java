package io.knabla.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compares {@link ObjectKey} with its rule written as a regular expression. */
class ObjectKeyTest {
    /** The rule as a regular expression: slower to load, easier to verify. */
    private static final Pattern RULE =
            Pattern.compile("(?!\\.{1,2}(/|\\z))[A-Za-z0-9_.-]+(/(?!\\.{1,2}(/|\\z))[A-Za-z0-9_.-]+)*");

    @Property(tries = 5_000)
    void acceptsExactlyTheKeysOfTheRule(@ForAll("paths") String path) {
        boolean expected = path.length() <= 512 && RULE.matcher(path).matches();

        assertThat(accepts(path)).as(path).isEqualTo(expected);
    }

    @Provide
    Arbitrary<String> paths() {
        return Arbitraries.oneOf(
                Arbitraries.strings().withChars("aZ0._-//..").ofMaxLength(12),
                Arbitraries.strings().ofMaxLength(6),
                Arbitraries.strings().withChars("a/").ofMinLength(509).ofMaxLength(514));
    }

    @Example
    void namesTheAllowedCharacters() {
        assertThatThrownBy(() -> ObjectKey.of("a", "..", "b"))
                .hasMessage(
                        "not an object key: 'a/../b'; segments of A-Z a-z 0-9 . _ - joined by '/', at most 512 characters");
    }

    @Example
    void joinsSegments() {
        assertThat(ObjectKey.of("units", "ab.json")).hasToString("units/ab.json");
        assertThat(ObjectKey.of("units/ab.json")).isEqualTo(ObjectKey.of("units", "ab.json"));
    }

    private static boolean accepts(String path) {
        try {
            new ObjectKey(path);
            return true;
        } catch (IllegalArgumentException refused) {
            return false;
        }
    }
}
