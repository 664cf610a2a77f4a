package io.knabla.runtime.tesseract;

import io.knabla.runtime.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Resolves dotted field paths to tensors. {@code a.b} is field {@code b} of field {@code a}, {@code a.[0]} the first
 * item of {@code a}, {@code a.{b.c}} the field {@code b.c} of {@code a}. Tensor names are flat: a path matches the
 * tensor named by the path itself, or by its parts joined with dots.
 */
final class FieldPaths {
    private FieldPaths() {}

    /** An array in a request and its JSON path. */
    record Leaf(Json array, List<Object> place) {}

    /** The name among {@code names} that the path refers to. */
    static Optional<String> find(List<String> names, String path) {
        if (names.contains(path)) {
            return Optional.of(path);
        }
        String joined = joined(path);
        return names.contains(joined) ? Optional.of(joined) : Optional.empty();
    }

    private static String joined(String path) {
        var name = new StringBuilder(path.length());
        int at = 0;
        while (at < path.length()) {
            char c = path.charAt(at);
            int end = c == '{' ? path.indexOf('}', at) : c == '[' ? path.indexOf(']', at) : -1;
            if (end > at) {
                name.append(path, at + 1, end);
                at = end + 1;
            } else {
                name.append(c);
                at++;
            }
        }
        return name.toString();
    }

    /** Collects the arrays of a JSON tree by their dotted paths. */
    static Map<String, Leaf> leaves(Json tree, List<Object> place) {
        var leaves = new LinkedHashMap<String, Leaf>();
        collect(tree, "", place, leaves);
        return leaves;
    }

    private static void collect(Json json, String path, List<Object> place, Map<String, Leaf> leaves) {
        if (!path.isEmpty() && ArrayReader.isArray(json)) {
            leaves.put(path, new Leaf(json, place));
            return;
        }
        switch (json) {
            case Json.Fields(var fields) ->
                fields.forEach((name, value) -> collect(value, join(path, name), append(place, name), leaves));
            case Json.Items(var items) -> {
                for (int i = 0; i < items.size(); i++) {
                    collect(items.get(i), join(path, Integer.toString(i)), append(place, i), leaves);
                }
            }
            case Json.Numbers _, Json.Text _, Json.Null _ -> leaves.put(path, new Leaf(json, place));
        }
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    static List<Object> append(List<Object> place, Object more) {
        var longer = new ArrayList<>(place);
        longer.add(more);
        return longer;
    }
}
