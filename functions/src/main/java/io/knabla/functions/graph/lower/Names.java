package io.knabla.functions.graph.lower;

import io.knabla.functions.graph.ssa.Refusal;
import io.knabla.functions.graph.ssa.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Names of one graph, then of those around it. */
final class Names {
    private final Map<String, Value> values = new HashMap<>();
    private final Names outer;

    /** @param outer null for the main graph and for functions, which see nothing around them */
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

    /** Whether it names an input that a call leaves out. */
    boolean leftOut(String name) {
        for (Names names = this; names != null; names = names.outer) {
            if (names.values.containsKey(name)) {
                return names.values.get(name) == null;
            }
        }
        return name.isEmpty();
    }

    Value get(String name) {
        return find(name).orElseThrow(() -> new Refusal("nothing makes '" + name + "'"));
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
