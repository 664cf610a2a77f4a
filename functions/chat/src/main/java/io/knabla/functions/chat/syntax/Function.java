package io.knabla.functions.chat.syntax;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Functions that a template may call; namespace and dict, which take any names, are read apart. */
public enum Function {
    RAISE_EXCEPTION("raise_exception", 1, "message"),
    RANGE("range", 1, "start", "stop", "step"),
    STRFTIME_NOW("strftime_now", 1, "format");

    private static final Map<String, Function> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(Function::written, function -> function));

    private final String written;
    private final Signature signature;

    Function(String written, int required, String... parameters) {
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

    static Optional<Function> of(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** All names in alphabetical order. */
    public static List<String> names() {
        return BY_NAME.keySet().stream().sorted().toList();
    }
}
