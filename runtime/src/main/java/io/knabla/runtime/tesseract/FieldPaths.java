package io.knabla.runtime.tesseract;

import io.knabla.functions.unit.ManifestLimits;
import io.knabla.runtime.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Resolves dotted field paths to tensors. {@code a.b} is field {@code b} of field {@code a}, {@code a.[0]} the first
 * item of {@code a}, {@code a.{b.c}} the field {@code b.c} of {@code a}. Tensor names are flat: a path matches the
 * tensor named by the path itself, or by its parts joined with dots.
 */
final class FieldPaths {
    /** Characters from which on a path refers to no tensor: none has so long a name. */
    private static final int LONG = 2 * ManifestLimits.NAME;

    private FieldPaths() {}

    /** An array in a request and its JSON path. */
    record Leaf(Json array, List<Object> place) {}

    /** The name among {@code names} that the path refers to. */
    static Optional<String> find(List<String> names, String path) {
        if (names.contains(path)) {
            return Optional.of(path);
        }
        if (path.length() >= LONG) {
            return Optional.empty();
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

    /**
     * Passes on the arrays of a JSON tree with their dotted paths. There may be as many as its text has characters, so
     * {@code leaf} should not keep those that it does not know.
     */
    static void visit(Json tree, List<Object> place, BiConsumer<String, Leaf> leaf) {
        visit(tree, "", place, leaf);
    }

    private static void visit(Json json, String path, List<Object> place, BiConsumer<String, Leaf> leaf) {
        if (!path.isEmpty() && ArrayReader.isArray(json)) {
            leaf.accept(path, new Leaf(json, place));
            return;
        }
        switch (json) {
            case Json.Fields(var fields) ->
                fields.forEach((name, value) -> visit(value, join(path, name), append(place, name), leaf));
            case Json.Items(var items) -> {
                for (int i = 0; i < items.size(); i++) {
                    visit(items.get(i), join(path, Integer.toString(i)), append(place, i), leaf);
                }
            }
            case Json.Numbers _, Json.Text _, Json.Null _ -> leaf.accept(path, new Leaf(json, place));
        }
    }

    /** A path that is long enough to refer to no tensor stays as it is. */
    private static String join(String path, String name) {
        return path.isEmpty() ? name : path.length() >= LONG ? path : path + "." + name;
    }

    static List<Object> append(List<Object> place, Object more) {
        var longer = new ArrayList<>(place);
        longer.add(more);
        return longer;
    }
}
