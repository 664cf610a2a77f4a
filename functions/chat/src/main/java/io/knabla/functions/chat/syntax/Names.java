package io.knabla.functions.chat.syntax;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The names of a template, known and unknown. */
final class Names {
    final Faults faults;
    private final Set<String> macros = new HashSet<>();
    private final Map<Position, String> called = new LinkedHashMap<>();
    private final Map<String, Integer> reported = new HashMap<>();

    Names(Faults faults) {
        this.faults = faults;
    }

    void define(String macro) {
        macros.add(macro);
    }

    void call(Position at, String macro) {
        called.put(at, macro);
    }

    /** Reports calls of what is neither a function nor a macro; a macro may be called before its definition is read. */
    void checkCalls() {
        called.forEach((at, name) -> {
            if (!macros.contains(name)) {
                List<String> known = new ArrayList<>(Function.names());
                known.add("dict");
                known.add("namespace");
                unknown(at, "function", name, known);
            }
        });
    }

    <T> Optional<T> known(Optional<T> found, Position at, String kind, String name, List<String> all) {
        if (found.isEmpty()) {
            unknown(at, kind, name, all);
        }
        return found;
    }

    /** Reports a name once, where it is first used. */
    void unknown(Position at, String kind, String name, List<String> known) {
        if (reported.merge(kind + " " + name, 1, Integer::sum) == 1) {
            faults.add(
                    at, "%s %s is not supported; supported are %s", kind, Faults.quote(name), String.join(", ", known));
        }
    }
}
