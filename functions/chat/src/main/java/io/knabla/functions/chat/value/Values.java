package io.knabla.functions.chat.value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes values of a template from Java's objects. */
public final class Values {
    private static final int DEEPEST = 100;

    private Values() {}

    /**
     * Converts null, a string, a boolean, a number, a list or a map of such.
     *
     * @throws IllegalArgumentException for another class, and for lists in lists more than 100 deep
     */
    public static Value of(Object object) {
        return of(object, 0);
    }

    private static Value of(Object object, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("a variable has values nested more than %d deep".formatted(DEEPEST));
        }
        return switch (object) {
            case null -> Value.NONE;
            case String text -> new Value.Text(text);
            case Boolean truth -> Value.of(truth);
            case Integer number -> new Value.Int(number);
            case Long number -> new Value.Int(number);
            case Double number -> new Value.Real(number);
            case List<?> list -> list(list, depth);
            case Map<?, ?> map -> map(map, depth);
            default ->
                throw new IllegalArgumentException(
                        "a variable is of %s; it must be a string, a boolean, a number, a list or a map"
                                .formatted(object.getClass()));
        };
    }

    private static Value list(List<?> list, int depth) {
        List<Value> items = new ArrayList<>(list.size());
        for (Object item : list) {
            items.add(of(item, depth + 1));
        }
        return new Value.Items(items);
    }

    private static Value map(Map<?, ?> map, int depth) {
        Map<Value, Value> entries = new LinkedHashMap<>();
        map.forEach((key, value) -> entries.put(new Value.Text((String) key), of(value, depth + 1)));
        return new Value.Dict(entries);
    }
}
