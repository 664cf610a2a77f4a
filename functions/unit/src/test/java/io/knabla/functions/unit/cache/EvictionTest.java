package io.knabla.functions.unit.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.cache.Eviction.Decision;
import io.knabla.functions.unit.cache.Eviction.Evict;
import io.knabla.functions.unit.cache.Eviction.Fits;
import io.knabla.functions.unit.cache.Eviction.Item;
import io.knabla.functions.unit.cache.Eviction.Refused;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests eviction decisions by examples and by properties. */
class EvictionTest {
    /** The size of a file is its position in the alphabet; z is shared with the store and counts 0. */
    private static final Map<Object, Long> BYTES = Map.of("a", 1L, "b", 2L, "c", 3L, "d", 4L, "e", 5L, "z", 0L);

    /** An item is written {@code name:last use:files}, and with a {@code !} it is in use. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    # scenario                        | items              | needed | bound | gone
                    there is room                     | u:1:c v:2:d        | 3      | 10    |
                    exactly                           | u:1:c v:2:d        | 3      | 10    |
                    the oldest goes                   | u:1:c v:2:d        | 4      | 10    | u
                    whatever the order                | v:2:d u:1:c        | 4      | 10    | u
                    both go                           | u:1:c v:2:d        | 8      | 10    | u v
                    one in use stays                  | u!:1:c v:2:d       | 4      | 10    | v
                    no room beside what is in use     | u!:1:c v:2:d       | 8      | 10    | refused 3
                    more than the bound               | u:1:c              | 11     | 10    | refused 0
                    a shared file goes with the last  | u:1:ce v:2:de      | 1      | 10    | u
                    what frees nothing stays          | u:1:e v!:3:e w:2:d | 5      | 10    | w
                    nor what costs nothing            | u:1:z w:2:d        | 8      | 10    | w
                    equal times go by name            | v:1:d u:1:d        | 7      | 10    | u v
                    """)
    void decides(String scenario, String items, long needed, long bound, String gone) {
        Decision expected = switch (gone) {
            case null -> new Fits();
            case String text when text.startsWith("refused") -> new Refused(Long.parseLong(text.substring(8)));
            case String names ->
                new Evict(Arrays.stream(names.split(" "))
                        .map(name -> named(parse(items), name))
                        .toList());
        };

        assertThat(Eviction.decide(parse(items), BYTES, needed, bound)).isEqualTo(expected);
    }

    private static Item named(List<Item> items, String name) {
        return items.stream()
                .filter(item -> item.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Item> parse(String text) {
        return Arrays.stream(text.split(" +")).map(EvictionTest::item).toList();
    }

    private static Item item(String text) {
        String[] parts = text.split(":");
        Set<Object> files =
                parts[2].chars().mapToObj(c -> Character.toString(c)).collect(Collectors.toSet());
        return new Item(
                parts[0].replace("!", ""),
                FileTime.fromMillis(Long.parseLong(parts[1])),
                parts[0].endsWith("!"),
                files);
    }

    @Property
    void evictsEnoughUnusedItemsAndNoMore(
            @ForAll("items") List<Item> items,
            @ForAll @IntRange(max = 20) int needed,
            @ForAll @IntRange(max = 20) int bound) {
        switch (Eviction.decide(items, BYTES, needed, bound)) {
            case Fits() -> assertThat(cost(items) + needed).isLessThanOrEqualTo(bound);
            case Evict(List<Item> gone) -> {
                assertThat(cost(items) + needed).isGreaterThan(bound);
                assertThat(gone).noneMatch(Item::inUse);
                assertThat(cost(without(items, gone)) + needed).isLessThanOrEqualTo(bound);
                for (Item needless : gone) {
                    var fewer = new ArrayList<>(gone);
                    fewer.remove(needless);
                    assertThat(cost(without(items, fewer)) + needed).isGreaterThan(bound);
                }
            }
            case Refused(long inUse) -> {
                List<Item> used = items.stream().filter(Item::inUse).toList();
                assertThat(inUse).isEqualTo(cost(used));
                assertThat(inUse + needed).isGreaterThan(bound);
            }
        }
    }

    private static List<Item> without(List<Item> items, List<Item> gone) {
        var left = new ArrayList<>(items);
        left.removeAll(gone);
        return left;
    }

    private static long cost(List<Item> items) {
        var files = new HashSet<>();
        items.forEach(item -> files.addAll(item.files()));
        return files.stream().mapToLong(BYTES::get).sum();
    }

    @Provide
    Arbitrary<List<Item>> items() {
        return Combinators.combine(
                        Arbitraries.strings()
                                .withCharRange('a', 'z')
                                .ofMinLength(3)
                                .ofMaxLength(5),
                        Arbitraries.longs().between(0, 5),
                        Arbitraries.of(true, false),
                        Arbitraries.<Object>of("a", "b", "c", "d", "e", "z")
                                .set()
                                .ofMaxSize(4))
                .as((name, use, used, files) -> new Item(name, FileTime.fromMillis(use), used, files))
                .list()
                .ofMaxSize(8)
                .uniqueElements(Item::name);
    }
}
