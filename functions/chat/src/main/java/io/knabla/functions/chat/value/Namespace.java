package io.knabla.functions.chat.value;

import java.util.HashMap;
import java.util.Map;

/** Variables that a template sets from within a loop and reads after it. */
public final class Namespace implements Value {
    private final Map<String, Value> byName = new HashMap<>();

    /** The value of this name; null if there is none. */
    public Value get(String name) {
        return byName.get(name);
    }

    public void set(String name, Value value) {
        byName.put(name, value);
    }
}
