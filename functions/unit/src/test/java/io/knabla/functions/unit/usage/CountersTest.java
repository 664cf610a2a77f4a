package io.knabla.functions.unit.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class CountersTest {
    private static final List<String> NAMES = List.of("prompt_tokens", "generated_tokens", "cached_tokens", "steps");
    private static final Counters FULL = numbered(0, Counters.MOST_NAMES);

    /** Names from {@code a} on, each with its number. */
    private static Counters numbered(int from, int until) {
        Map<String, Long> counts = new HashMap<>();
        for (int i = from; i < until; i++) {
            counts.put(String.valueOf((char) ('a' + i)), i + 1L);
        }
        return new Counters(counts);
    }

    @Provide
    Arbitrary<Counters> counters() {
        return Arbitraries.maps(Arbitraries.of(NAMES), Arbitraries.longs().between(0, Counters.MOST))
                .map(Counters::of);
    }

    @Property(tries = 200)
    void sumsAreTheSameInAnyOrder(
            @ForAll("counters") Counters one, @ForAll("counters") Counters other, @ForAll("counters") Counters third) {
        assertThat(one.plus(other)).isEqualTo(other.plus(one));
        assertThat(one.plus(other).plus(third)).isEqualTo(one.plus(other.plus(third)));
        assertThat(one.plus(Counters.NONE)).isEqualTo(one);
        assertThat(one.max(other)).isEqualTo(other.max(one));
        assertThat(one.max(other).max(third)).isEqualTo(one.max(other.max(third)));
    }

    @Property(tries = 200)
    void whatWasAddedIsTheDifference(@ForAll("counters") Counters one, @ForAll("counters") Counters other) {
        assertThat(one.plus(other).minus(one)).isEqualTo(other);
        assertThat(one.minus(one)).isEqualTo(Counters.NONE);
        assertThat(one.max(other).minus(one).plus(one)).isEqualTo(one.max(other));
    }

    @Property(tries = 200)
    void eachCountIsChanged(@ForAll("counters") Counters all) {
        Counters halves = all.each(count -> count / 2);
        NAMES.forEach(name -> assertThat(halves.count(name)).isEqualTo(all.count(name) / 2));
        assertThat(all.each(count -> 0)).isEqualTo(Counters.NONE);
        assertThat(halves.plus(all.minus(halves))).isEqualTo(all);
    }

    @Example
    void aSumThatNoLongHoldsIsTheLargestOne() {
        Counters large = new Counters(Map.of("a", Long.MAX_VALUE - 1, "b", 1L));
        assertThat(large.plus(large)).isEqualTo(new Counters(Map.of("a", Long.MAX_VALUE, "b", 2L)));
    }

    @Example
    void aCountOfZeroIsNone() {
        assertThat(new Counters(Map.of("a", 0L))).isEqualTo(Counters.NONE).matches(Counters::isEmpty);
        assertThat(Counters.NONE.count("a")).isZero();
    }

    @Example
    void itsJsonIsOrderedByName() {
        assertThat(new Counters(Map.of("b", 2L, "a_b", 1L)).json()).isEqualTo("{\"a_b\":1,\"b\":2}");
        assertThat(Counters.NONE.json()).isEqualTo("{}");
    }

    @Example
    void namesAreLettersAndUnderscores() {
        assertThat(Counters.isName("toy_tokens")).isTrue();
        assertThat(Counters.isName("x".repeat(40))).isTrue();
        for (String none : new String[] {"", "_a", "A", "a1", "a-b", "a\"", "ä", "x".repeat(41)}) {
            assertThat(Counters.isName(none)).as(none).isFalse();
        }
    }

    @Example
    void whatIsNoCounterIsRefused() {
        Map<String, Long> missing = new HashMap<>();
        missing.put("a", null);
        assertThatThrownBy(() -> new Counters(missing)).hasMessageContaining("'a' with null");
        assertThatThrownBy(() -> new Counters(Map.of("a", -1L))).hasMessageContaining("'a' with -1");
        assertThatThrownBy(() -> new Counters(Map.of("A", 1L))).hasMessageContaining("characters a to z and _");
    }

    @Provide
    Arbitrary<Map<String, Long>> told() {
        return Arbitraries.maps(
                Arbitraries.strings().withChars('a', 'b', '_', 'A').ofMaxLength(3), Arbitraries.longs());
    }

    @Property(tries = 200)
    void whatAReplicaTellsIsBounded(@ForAll("told") Map<String, Long> told) {
        Counters kept = Counters.bounded(told);
        assertThat(kept.byName()).hasSizeLessThanOrEqualTo(Counters.MOST_NAMES).allSatisfy((name, count) -> {
            assertThat(Counters.isName(name)).isTrue();
            assertThat(count).isBetween(1L, Counters.MOST);
        });
    }

    @Example
    void ofTooManyNamesTheFirstOnesAreKept() {
        Counters kept = Counters.bounded(numbered(0, 26).byName());
        assertThat(kept).isEqualTo(FULL);
        assertThat(Counters.bounded(Map.of("a", Long.MAX_VALUE, "b", -1L)))
                .isEqualTo(new Counters(Map.of("a", Counters.MOST)));
    }

    /** A replica that counts under new names all the time neither grows its record nor makes it forget. */
    @Example
    void ofTooManyNamesThoseThatWereFirstStay() {
        Counters later = numbered(5, 5 + Counters.MOST_NAMES);
        assertThat(later.max(FULL).byName().keySet())
                .isEqualTo(new TreeSet<>(later.byName().keySet()));
        assertThat(numbered(5, 10).max(FULL)).isEqualTo(FULL);
    }
}
