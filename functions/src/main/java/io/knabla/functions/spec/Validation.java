package io.knabla.functions.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One rule for the API server, in its Common Expression Language.
 *
 * @param scope the block that {@code self} is, as in {@code spec.gradient.loss}
 * @param path where the fault is shown, at or below the scope
 * @param rule what must hold
 * @param sentence what is wrong and what to do, with {@code %s} for each value
 * @param values expressions that the sentence shows
 */
record Validation(String scope, String path, String rule, String sentence, List<String> values) {

    /** A rule about the whole spec. */
    static Validation spec(String path, String rule, String sentence, String... values) {
        return within("spec", path, rule, sentence, values);
    }

    static Validation within(String scope, String path, String rule, String sentence, String... values) {
        return new Validation(scope, path, rule, sentence, List.of(values));
    }

    /**
     * What is at a path below {@code self}, or the default where it is not given. Told by a condition: behind
     * {@code orValue} the API server loses sight of bounds, and refuses the rule as too dear.
     */
    static String value(String path, Object fallback) {
        return fallback instanceof Number ? valueOr(path, fallback.toString()) : valueOr(path, "'" + fallback + "'");
    }

    static String valueOr(String path, String expression) {
        return "(%s ? self.%s : %s)".formatted(given(path), path, expression);
    }

    /** Whether every part of a path below {@code self} is there. */
    static String given(String path) {
        List<String> parts = new ArrayList<>();
        for (int end = path.indexOf('.'); end >= 0; end = path.indexOf('.', end + 1)) {
            parts.add("has(self." + path.substring(0, end) + ")");
        }
        parts.add("has(self." + path + ")");
        return String.join(" && ", parts);
    }

    /** Puts the rule at its block in the schema of a whole Function. */
    void into(ObjectNode root) {
        ObjectNode block = root;
        for (String key : scope.split("\\.")) {
            block = (ObjectNode) block.get("properties").get(key);
        }
        ObjectNode node = block.withArray(Structural.RULES).addObject().put("rule", rule);
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
