package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.shape.OpContext.ValueInfo;
import java.util.HashMap;
import java.util.Map;

/** Inferred values by name, including those of enclosing graphs. */
final class Scope {
    private final Map<String, ValueInfo> values = new HashMap<>();
    private final Scope outer;
    final Map<String, Long> opsets;

    Scope(Scope outer, Map<String, Long> opsets) {
        this.outer = outer;
        this.opsets = opsets;
    }

    ValueInfo get(String name) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            ValueInfo found = scope.values.get(name);
            if (found != null) {
                return found;
            }
        }
        return ValueInfo.NOTHING;
    }

    /** Number of enclosing graphs. */
    int depth() {
        return outer == null ? 0 : outer.depth() + 1;
    }

    void put(String name, ValueInfo value) {
        if (!name.isEmpty()) {
            values.put(name, value);
        }
    }
}
