package io.knabla.functions.chat.render;

import io.knabla.functions.chat.value.Value;
import java.util.HashMap;
import java.util.Map;

/** Variables of a body, and those around it. */
final class Scope {
    private final Scope around;
    private final Map<String, Value> byName = new HashMap<>();

    /** @param around null for none */
    Scope(Scope around) {
        this.around = around;
    }

    Value get(String name) {
        for (Scope scope = this; scope != null; scope = scope.around) {
            Value value = scope.byName.get(name);
            if (value != null) {
                return value;
            }
        }
        return new Value.Undefined(name);
    }

    void set(String name, Value value) {
        byName.put(name, value);
    }
}
