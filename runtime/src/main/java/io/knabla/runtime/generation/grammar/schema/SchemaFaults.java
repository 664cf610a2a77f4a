package io.knabla.runtime.generation.grammar.schema;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with a schema, each fault with the JSON pointer of its place. */
final class SchemaFaults {
    private static final int MOST = 20;
    private static final int LONGEST_POINTER = 200;

    private final List<String> all = new ArrayList<>();

    void add(String pointer, String message, Object... arguments) {
        if (all.size() < MOST) {
            String place = pointer.length() > LONGEST_POINTER ? pointer.substring(0, LONGEST_POINTER) + "…" : pointer;
            all.add(place + ": " + message.formatted(arguments));
        }
    }

    List<String> all() {
        return List.copyOf(all);
    }
}
