package io.knabla.functions.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Builds the nodes of a structural OpenAPI v3 schema. Formatted text is checked by a CEL rule instead of
 * {@code pattern}: a rule reports a readable message, a pattern its regular expression.
 */
final class StructuralSchema {
    static final String RULES = "x-kubernetes-validations";
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Bounds the cost of a CEL rule, which the API server estimates from the maximum length. */
    private static final int LONGEST_DURATION = 40;

    private StructuralSchema() {}

    static ObjectNode object() {
        return NODES.objectNode().put("type", "object");
    }

    static ObjectNode integer(int least, int most) {
        return NODES.objectNode()
                .put("type", "integer")
                .put("format", "int32")
                .put("minimum", least)
                .put("maximum", most);
    }

    static ObjectNode number(int least, int most) {
        return NODES.objectNode().put("type", "number").put("minimum", least).put("maximum", most);
    }

    static ObjectNode above(ObjectNode number) {
        return number.put("exclusiveMinimum", true);
    }

    static ObjectNode below(ObjectNode number) {
        return number.put("exclusiveMaximum", true);
    }

    static ObjectNode bool() {
        return NODES.objectNode().put("type", "boolean");
    }

    static ObjectNode text(int longest) {
        return NODES.objectNode().put("type", "string").put("maxLength", longest);
    }

    static ObjectNode choice(List<String> names) {
        ObjectNode node = NODES.objectNode().put("type", "string");
        ArrayNode allowed = node.putArray("enum");
        names.forEach(allowed::add);
        return node;
    }

    static ObjectNode pattern(ObjectNode text, String pattern) {
        return text.put("pattern", pattern);
    }

    /** Text that matches the pattern completely. */
    static ObjectNode form(int longest, String pattern, String allowed) {
        return found(text(longest), matches("self", pattern), "write " + allowed);
    }

    static ObjectNode duration(Duration least, Duration most, String allowed) {
        return found(
                text(LONGEST_DURATION),
                "self != '' && %s && duration(self) >= duration('%s') && duration(self) <= duration('%s')"
                        .formatted(
                                matches("self", Durations.STRUCTURAL), Durations.format(least), Durations.format(most)),
                "write " + allowed);
    }

    /** Text or a whole number: {@code int-or-string} is the only union type of the API server. */
    static ObjectNode quantity(Quantities.Unit unit, long least, long most, String allowed) {
        ObjectNode node = NODES.objectNode().put("x-kubernetes-int-or-string", true);
        node.put("maxLength", LONGEST_DURATION);
        String amount = "quantity(string(self))";
        return found(
                node,
                "%s && %s.compareTo(quantity('%s')) >= 0 && %s.compareTo(quantity('%s')) <= 0"
                        .formatted(
                                matches("string(self)", unit.form()),
                                amount,
                                unit.format(least),
                                amount,
                                unit.format(most)),
                "write " + allowed);
    }

    /** Allows one word in addition to the values that the rules allow. */
    static ObjectNode or(String word, ObjectNode schema) {
        schema.withArray(RULES)
                .forEach(rule -> ((ObjectNode) rule)
                        .put(
                                "rule",
                                "self == '%s' || %s"
                                        .formatted(word, rule.get("rule").asText())));
        return schema;
    }

    static ObjectNode list(ObjectNode item, int most) {
        ObjectNode node =
                NODES.objectNode().put("type", "array").put("maxItems", most).put("x-kubernetes-list-type", "atomic");
        node.set("items", item);
        return node;
    }

    static ObjectNode map(ObjectNode value, int most) {
        ObjectNode node = object().put("maxProperties", most);
        node.set("additionalProperties", value);
        return node;
    }

    static ObjectNode rule(ObjectNode schema, String rule, String sentence) {
        schema.withArray(RULES).addObject().put("rule", rule).put("message", sentence);
        return schema;
    }

    /** A rule about one short value, with a message that begins like {@link Tree#described}. */
    private static ObjectNode found(ObjectNode schema, String rule, String write) {
        String end = "; " + write.replace("'", "\\'") + "'.format([self])";
        String text = "'found the text \\'%s\\'" + end;
        schema.withArray(RULES)
                .addObject()
                .put("rule", rule)
                .put("message", write)
                .put(
                        "messageExpression",
                        schema.has("type") ? text : "type(self) == int ? 'found the number %s" + end + " : " + text);
        return schema;
    }

    static String matches(String what, String pattern) {
        return what + ".matches(r'^(?:" + pattern + ")$')";
    }

    /** Sets the default of a key; none for mappings, because their keys have defaults. */
    static void setDefault(ObjectNode schema, String key, Object value) {
        ObjectNode property = (ObjectNode) schema.get("properties").get(key);
        switch (value) {
            case Enum<?> choice -> property.put("default", choice.name());
            case Integer number -> property.put("default", number);
            case Double number -> property.put("default", number);
            case Boolean flag -> property.put("default", flag);
            case String text -> property.put("default", text);
            case Duration duration -> property.put("default", Durations.format(duration));
            case Optional<?> auto when auto.isEmpty() -> property.put("default", "auto");
            default -> {}
        }
    }

    /** Bounds and default as text, because {@code kubectl explain} shows only the description. */
    static String allowed(ObjectNode property) {
        StringBuilder text = new StringBuilder();
        bounds(property)
                .ifPresent(bounds -> text.append(" Allowed: ").append(bounds).append('.'));
        if (property.has("default")) {
            text.append(" Default: ").append(property.get("default").asText()).append('.');
        }
        return text.toString();
    }

    private static Optional<String> bounds(ObjectNode property) {
        if (property.has("minimum")) {
            String least = property.get("minimum").asText();
            String most = property.get("maximum").asText();
            return Optional.of((property.has("exclusiveMinimum") ? "above " : "")
                    + least
                    + (property.has("exclusiveMaximum") ? " to below " : " to ")
                    + most);
        }
        for (JsonNode rule : property.path(RULES)) {
            String sentence = rule.get("message").asText();
            if (sentence.startsWith("write ")) {
                return Optional.of(sentence.substring("write ".length()));
            }
        }
        return Optional.empty();
    }
}
