package io.knabla.functions.chat.syntax;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Methods of strings and mappings that a template may call; they are Python's. */
public enum Method {
    CAPITALIZE("capitalize", 0),
    COUNT("count", 1, "sub"),
    ENDSWITH("endswith", 1, "suffix"),
    FIND("find", 1, "sub"),
    GET("get", 1, "key", "default"),
    ISDIGIT("isdigit", 0),
    ITEMS("items", 0),
    JOIN("join", 1, "iterable"),
    KEYS("keys", 0),
    LOWER("lower", 0),
    LSTRIP("lstrip", 0, "chars"),
    REMOVEPREFIX("removeprefix", 1, "prefix"),
    REMOVESUFFIX("removesuffix", 1, "suffix"),
    REPLACE("replace", 2, "old", "new", "count"),
    RFIND("rfind", 1, "sub"),
    RSPLIT("rsplit", 0, "sep", "maxsplit"),
    RSTRIP("rstrip", 0, "chars"),
    SPLIT("split", 0, "sep", "maxsplit"),
    SPLITLINES("splitlines", 0),
    STARTSWITH("startswith", 1, "prefix"),
    STRIP("strip", 0, "chars"),
    TITLE("title", 0),
    UPPER("upper", 0),
    VALUES("values", 0);

    private static final Map<String, Method> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(Method::written, Function.identity()));

    private final String written;
    private final Signature signature;

    Method(String written, int required, String... parameters) {
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

    static Optional<Method> of(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    static List<String> names() {
        return BY_NAME.keySet().stream().sorted().toList();
    }
}
