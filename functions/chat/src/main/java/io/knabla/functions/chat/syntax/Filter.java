package io.knabla.functions.chat.syntax;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Filters that a template may use; map, select, reject, selectattr and rejectattr are read apart. */
public enum Filter {
    ABS("abs", 0),
    CAPITALIZE("capitalize", 0),
    DEFAULT("default", 0, "default_value", "boolean"),
    FIRST("first", 0),
    FLOAT("float", 0, "default"),
    INDENT("indent", 0, "width", "first", "blank"),
    INT("int", 0, "default"),
    ITEMS("items", 0),
    JOIN("join", 0, "d", "attribute"),
    LAST("last", 0),
    LENGTH("length", 0),
    LIST("list", 0),
    LOWER("lower", 0),
    REPLACE("replace", 2, "old", "new", "count"),
    REVERSE("reverse", 0),
    SAFE("safe", 0),
    STRING("string", 0),
    TOJSON("tojson", 0, "ensure_ascii", "indent", "separators", "sort_keys"),
    TRIM("trim", 0, "chars"),
    UPPER("upper", 0);

    private static final Map<String, Filter> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(Filter::written, Function.identity()));

    private final String written;
    private final Signature signature;

    Filter(String written, int required, String... parameters) {
        this.written = written;
        this.signature = Signature.of(required, parameters);
    }

    /** Its name in a template. */
    public String written() {
        return written;
    }

    Signature signature() {
        return signature;
    }

    static Optional<Filter> of(String name) {
        return switch (name) {
            case "count" -> Optional.of(LENGTH);
            case "d" -> Optional.of(DEFAULT);
            default -> Optional.ofNullable(BY_NAME.get(name));
        };
    }

    static List<String> names() {
        return BY_NAME.keySet().stream().sorted().toList();
    }
}
