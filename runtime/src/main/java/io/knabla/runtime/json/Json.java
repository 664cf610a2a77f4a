package io.knabla.runtime.json;

import java.util.List;
import java.util.Map;

/** Parsed JSON whose regular arrays of numbers are stored flat. */
public sealed interface Json {
    /** An object; its fields in document order. */
    record Fields(Map<String, Json> byName) implements Json {}

    /** An array that is not a regular array of numbers. */
    record Items(List<Json> items) implements Json {}

    /** A string. */
    record Text(String text) implements Json {}

    /** JSON's null. */
    record Null() implements Json {}

    /**
     * A number or a regular array of numbers of the given {@code shape}; booleans count as 1 and 0.
     *
     * @param from index of the first number in {@code all}
     */
    record Numbers(NumberList all, int from, int count, List<Integer> shape) implements Json {
        public static Numbers nan() {
            var one = new NumberList();
            one.add(Double.NaN);
            return new Numbers(one, 0, 1, List.of());
        }
    }
}
