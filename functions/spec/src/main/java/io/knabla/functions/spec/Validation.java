package io.knabla.functions.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One CEL validation rule for the API server.
 *
 * @param scope the mapping that {@code self} refers to, such as {@code spec.gradient.loss}
 * @param path where the fault is reported, at or below the scope
 * @param rule CEL condition that must hold
 * @param sentence what is wrong and what to do, with {@code %s} for each value
 * @param values CEL expressions of the values in the sentence
 */
record Validation(String scope, String path, String rule, String sentence, List<String> values) {

    /** CEL list of the names of these values. */
    static String names(Set<? extends Enum<?>> values) {
        return values.stream().map(value -> "'" + value.name() + "'").collect(Collectors.joining(", ", "[", "]"));
    }

    /** A rule about the whole spec. */
    static Validation spec(String path, String rule, String sentence, String... values) {
        return new Validation("spec", path, rule, sentence, List.of(values));
    }

    /**
     * CEL expression for the value at a path below {@code self}, or for the default. Uses a condition: with
     * {@code orValue} the API server ignores the schema's bounds and refuses the rule as too expensive.
     */
    static String value(String path, Object fallback) {
        return fallback instanceof Number ? valueOr(path, fallback.toString()) : valueOr(path, "'" + fallback + "'");
    }

    static String valueOr(String path, String expression) {
        return "(%s ? self.%s : %s)".formatted(given(path), path, expression);
    }

    /** CEL expression: whether every part of a path below {@code self} is set. */
    static String given(String path) {
        List<String> parts = new ArrayList<>();
        for (int end = path.indexOf('.'); end >= 0; end = path.indexOf('.', end + 1)) {
            parts.add("has(self." + path.substring(0, end) + ")");
        }
        parts.add("has(self." + path + ")");
        return String.join(" && ", parts);
    }

    /** Adds the rule to its mapping in the schema of Function. */
    void into(ObjectNode root) {
        ObjectNode block = root;
        for (String key : scope.split("\\.")) {
            block = (ObjectNode) block.get("properties").get(key);
        }
        ObjectNode node = block.withArray(StructuralSchema.RULES).addObject().put("rule", rule);
        if (values.isEmpty()) {
            node.put("message", sentence);
        } else {
            node.put("messageExpression", expression());
        }
        if (!path.equals(scope)) {
            node.put("fieldPath", path.substring(scope.length()));
        }
        if (sentence.startsWith("missing")) {
            node.put("reason", "FieldValueRequired");
        }
    }

    private String expression() {
        String shown = values.stream().map(v -> "string(" + v + ")").collect(Collectors.joining(", "));
        return "'%s'.format([%s])".formatted(sentence, shown);
    }
}
