package io.knabla.functions.compiler.importer;

import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Maps the names of one graph to values and falls back to the enclosing graphs. */
final class SymbolTable {
    private final Map<String, Value> values = new HashMap<>();
    private final SymbolTable outer;

    /** @param outer null for the main graph and for functions, which have no enclosing graph */
    SymbolTable(SymbolTable outer) {
        this.outer = outer;
    }

    Optional<Value> find(String name) {
        for (SymbolTable names = this; names != null; names = names.outer) {
            Value found = names.values.get(name);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    /** Whether it names an input that a call omits. */
    boolean isOmitted(String name) {
        for (SymbolTable names = this; names != null; names = names.outer) {
            if (names.values.containsKey(name)) {
                return names.values.get(name) == null;
            }
        }
        return name.isEmpty();
    }

    Value get(String name) {
        return find(name).orElseThrow(() -> new UnsupportedOperatorException("no node produces '" + name + "'"));
    }

    void put(String name, Value value) {
        values.put(name, value);
    }

    boolean declaresLocally(String name) {
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
