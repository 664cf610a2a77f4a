package io.knabla.functions.graph.lower;

import io.knabla.functions.graph.ssa.Refusal;
import io.knabla.functions.graph.ssa.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Maps the names of one graph to values and falls back to the enclosing graphs. */
final class Names {
    private final Map<String, Value> values = new HashMap<>();
    private final Names outer;

    /** @param outer null for the main graph and for functions, which have no enclosing graph */
    Names(Names outer) {
        this.outer = outer;
    }

    Optional<Value> find(String name) {
        for (Names names = this; names != null; names = names.outer) {
            Value found = names.values.get(name);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    /** Whether it names an input that a call omits. */
    boolean leftOut(String name) {
        for (Names names = this; names != null; names = names.outer) {
            if (names.values.containsKey(name)) {
                return names.values.get(name) == null;
            }
        }
        return name.isEmpty();
    }

    Value get(String name) {
        return find(name).orElseThrow(() -> new Refusal("no node produces '" + name + "'"));
    }

    void put(String name, Value value) {
        values.put(name, value);
    }

    boolean here(String name) {
        return values.containsKey(name);
    }

    void define(List<String> outputs, List<Value> made) {
        for (int i = 0; i < Math.min(outputs.size(), made.size()); i++) {
            if (!outputs.get(i).isEmpty()) {
                values.put(outputs.get(i), made.get(i));
            }
        }
    }

    Map<String, Value> all() {
        return values;
    }
}
