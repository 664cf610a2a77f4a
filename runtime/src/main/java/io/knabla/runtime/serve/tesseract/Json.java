package io.knabla.runtime.serve.tesseract;

import java.util.List;
import java.util.Map;

/** A parsed document whose regular arrays of numbers lie in flat memory. */
sealed interface Json {
    /** Fields in their order. */
    record Fields(Map<String, Json> byName) implements Json {}

    /** An array of anything but equally nested numbers. */
    record Items(List<Json> items) implements Json {}

    record Text(String text) implements Json {}

    /** Nothing: JSON's null. */
    record Null() implements Json {}

    /**
     * Numbers, truth values (1 and 0) among them, nested as {@code shape} says.
     *
     * @param from the first one's place in {@code all}
     */
    record Numbers(NumberList all, int from, int count, List<Integer> shape) implements Json {}
}
