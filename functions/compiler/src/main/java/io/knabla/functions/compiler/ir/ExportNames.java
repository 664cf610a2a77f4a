package io.knabla.functions.compiler.ir;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Assigns unique names for export: names from the file if they are free, otherwise generated ones. */
final class ExportNames {
    private final Map<Value, String> given = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private final Set<String> nodes = new HashSet<>();

    void give(Value value, String name) {
        given.put(value, name);
        taken.add(name);
    }

    /** Reserves an output's name and assigns it to the value if that has none yet. */
    void giveIfNameless(Value value, String name) {
        taken.add(name);
        if (value.producer().isPresent() && value.producer().get().scope().outer() == null) {
            given.putIfAbsent(value, name);
        }
    }

    String of(Value value) {
        return given.computeIfAbsent(value, this::fresh);
    }

    private String fresh(Value value) {
        if (!value.name().isEmpty() && taken.add(value.name())) {
            return value.name();
        }
        String name = "v" + value.id();
        while (!taken.add(name)) {
            name = name + "_";
        }
        return name;
    }

    String node(Op op) {
        String name = op.name().isEmpty() ? "n" + op.id() : op.name();
        while (!nodes.add(name)) {
            name = name + "_" + op.id();
        }
        return name;
    }
}
