package io.knabla.functions.graph.shape;

import io.knabla.functions.graph.shape.OpContext.Known;
import java.util.HashMap;
import java.util.Map;

/** Inferred values by name, including those of enclosing graphs. */
final class Scope {
    private final Map<String, Known> values = new HashMap<>();
    private final Scope outer;
    final Map<String, Long> opsets;

    Scope(Scope outer, Map<String, Long> opsets) {
        this.outer = outer;
        this.opsets = opsets;
    }

    Known get(String name) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            Known found = scope.values.get(name);
            if (found != null) {
                return found;
            }
        }
        return Known.NOTHING;
    }

    /** Number of enclosing graphs. */
    int depth() {
        return outer == null ? 0 : outer.depth() + 1;
    }

    void put(String name, Known value) {
        if (!name.isEmpty()) {
            values.put(name, value);
        }
    }
}
