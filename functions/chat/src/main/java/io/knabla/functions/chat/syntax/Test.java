package io.knabla.functions.chat.syntax;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Tests that a template may use after {@code is}. */
public enum Test {
    BOOLEAN("boolean", 0),
    DEFINED("defined", 0),
    DIVISIBLEBY("divisibleby", 1, "value"),
    EQ("eq", 1, "value"),
    EVEN("even", 0),
    FALSE("false", 0),
    FLOAT("float", 0),
    GE("ge", 1, "value"),
    GT("gt", 1, "value"),
    IN("in", 1, "value"),
    INTEGER("integer", 0),
    ITERABLE("iterable", 0),
    LE("le", 1, "value"),
    LOWER("lower", 0),
    LT("lt", 1, "value"),
    MAPPING("mapping", 0),
    NE("ne", 1, "value"),
    NONE("none", 0),
    NUMBER("number", 0),
    ODD("odd", 0),
    SAMEAS("sameas", 1, "value"),
    SEQUENCE("sequence", 0),
    STRING("string", 0),
    TRUE("true", 0),
    UNDEFINED("undefined", 0),
    UPPER("upper", 0);

    private static final Map<String, Test> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(Test::written, Function.identity()));

    private final String written;
    private final Signature signature;

    Test(String written, int required, String... parameters) {
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

    static Optional<Test> of(String name) {
        String usual = switch (name) {
            case "equalto", "==" -> "eq";
            case "!=" -> "ne";
            case "lessthan", "<" -> "lt";
            case "<=" -> "le";
            case "greaterthan", ">" -> "gt";
            case ">=" -> "ge";
            default -> name;
        };
        return Optional.ofNullable(BY_NAME.get(usual));
    }

    static List<String> names() {
        return BY_NAME.keySet().stream().sorted().toList();
    }
}
