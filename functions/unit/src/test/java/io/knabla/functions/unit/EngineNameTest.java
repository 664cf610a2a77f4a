package io.knabla.functions.unit;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class EngineNameTest {
    @Example
    void replacesOnlyWhatJniCannotPassOn() {
        assertThat(EngineName.of("größe 中文 \\ {}")).isEqualTo("größe 中文 \\ {}");
        assertThat(EngineName.of("a😀\0")).isEqualTo("a\\u{1f600}\\u{0}");
        assertThat(EngineName.of("\\u{1f600}")).isEqualTo("\\u{5c}u{1f600}");
    }

    @Property
    void findsTheNameAgain(@ForAll("names") String name) {
        String stored = EngineName.of(name);

        assertThat(EngineName.original(stored)).isEqualTo(name);
        assertThat(stored.chars())
                .noneMatch(c -> c == 0 || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    @Provide
    static Arbitrary<String> names() {
        return Arbitraries.of("a", "\\", "u", "{", "}", "1f600", "5c", "0", "\0", "😀", "é", "\uffff", "\udbff\udfff")
                .list()
                .ofMaxSize(12)
                .map(parts -> String.join("", parts));
    }
}
