package io.knabla.functions.chat.syntax;

import java.util.List;

/**
 * Parameters of a filter, method or function.
 *
 * @param required number of the first ones that must be given
 */
record Signature(int required, List<String> parameters) {
    static Signature of(int required, String... parameters) {
        return new Signature(required, List.of(parameters));
    }

    @Override
    public String toString() {
        return parameters.isEmpty() ? "no arguments" : String.join(", ", parameters);
    }
}
