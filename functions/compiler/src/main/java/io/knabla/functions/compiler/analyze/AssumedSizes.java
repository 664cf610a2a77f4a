package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.shape.DimBinding;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Binds variable sizes to given values, or to 1 with a note of the assumption. */
final class AssumedSizes implements DimBinding {
    private static final int MAX_NAMED = 5;

    private final Map<String, Long> asked;
    private final Set<String> symbols = new LinkedHashSet<>();
    private final Set<String> open = new LinkedHashSet<>();

    AssumedSizes(Map<String, Long> asked) {
        this.asked = asked;
    }

    @Override
    public Dim bind(Dim dim, String value) {
        return switch (dim) {
            case Dim.Known known -> known;
            case Dim.Symbol(var name) -> {
                Long size = asked.get(name);
                if (size == null) {
                    symbols.add(name);
                }
                yield size == null ? Dim.ONE : Dim.of(size);
            }
            case Dim.Expression expression -> expression.substitute(name -> bind(name, value));
            case Dim.Unknown _ -> {
                open.add(value);
                yield Dim.ONE;
            }
        };
    }

    List<String> notes() {
        var notes = new ArrayList<String>();
        if (!symbols.isEmpty()) {
            notes.add("variable sizes taken as 1: " + some(symbols));
        }
        if (!open.isEmpty()) {
            notes.add("sizes that depend on the data, taken as 1, in: " + some(open));
        }
        return notes;
    }

    private static String some(Set<String> names) {
        List<String> first = names.stream().limit(MAX_NAMED).toList();
        int more = names.size() - first.size();
        return String.join(", ", first) + (more > 0 ? " and " + more + " more" : "");
    }
}
