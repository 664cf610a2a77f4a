package io.knabla.functions.spec;

import static io.knabla.functions.spec.CelToHcl.quoted;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.spec.CelToHcl.Expression;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Generates the variables of {@code terraform/modules/function} from the CRD: one for each key of {@code spec}, of the
 * same name, with the checks of the schema. Mappings are of type {@code any}, because Terraform drops unknown
 * attributes of an {@code object} without a word.
 */
final class FunctionModule {
    private static final String MUST_HOLD = "false";
    private static final String IF_KNOWN = "true";

    /** One place in the schema: the expression of its value, its path, and the {@code for} clauses around it. */
    private record Place(String value, String path, List<String> loops) {
        Place key(String name) {
            return new Place(value + "." + name, path + "." + name, loops);
        }

        Place each(String suffix) {
            String item = "item" + loops.size();
            var around = new ArrayList<>(loops);
            around.add("%s in %s".formatted(item, value));
            return new Place(item, path + suffix, List.copyOf(around));
        }

        /** The condition, which holds of an absent value; {@code otherwise} if it cannot be evaluated. */
        String given(String condition, String otherwise) {
            String all = "try(%s, null) == null ? true : try(%s, %s)".formatted(value, condition, otherwise);
            for (String loop : loops.reversed()) {
                all = "alltrue(try([for %s : %s], []))".formatted(loop, all);
            }
            return all;
        }

        String found() {
            return loops.isEmpty() ? "found ${try(jsonencode(%s), \"\")}; ".formatted(value) : "";
        }
    }

    private final Map<String, StringBuilder> validations = new LinkedHashMap<>();
    private final StringBuilder faults = new StringBuilder();
    private final List<String> order = new ArrayList<>();
    private final JsonNode spec;

    private FunctionModule(JsonNode spec) {
        this.spec = spec;
        spec.get("properties").fieldNames().forEachRemaining(order::add);
    }

    /** The text of {@code spec.tf}. */
    static String hcl() {
        JsonNode spec = CustomResourceDefinition.schema(CustomResourceDefinition.document())
                .at("/properties/spec");
        return new FunctionModule(spec).text();
    }

    private String text() {
        order.forEach(key -> validations.put(key, new StringBuilder()));
        spec.get("properties")
                .properties()
                .forEach(key ->
                        check(key.getValue(), new Place("var." + key.getKey(), "spec." + key.getKey(), List.of())));
        rules(spec, new Place("var", "spec", List.of()));
        var text = new StringBuilder();
        spec.get("properties").properties().forEach(key -> text.append(variable(key.getKey(), key.getValue())));
        return text.append(spec()).toString();
    }

    private String variable(String key, JsonNode schema) {
        return """
                variable "%s" {
                  description = %s
                  type        = %s
                  default     = null
                %s}

                """.formatted(
                        key,
                        quoted(schema.get("description").asText()),
                        schema.get("type").asText().equals("string") ? "string" : "any",
                        validations.get(key));
    }

    private String spec() {
        var text = new StringBuilder("locals {\n  spec = { for key, value in {\n");
        int width = order.stream().mapToInt(String::length).max().orElseThrow();
        order.forEach(key -> text.append(("    %-" + width + "s = var.%s\n").formatted(key, key)));
        return text.append("  } : key => value if value != null }\n\n  faults = compact([\n")
                .append(faults)
                .append("  ])\n}\n")
                .toString();
    }

    private void check(JsonNode schema, Place place) {
        JsonNode rules = schema.path(StructuralSchema.RULES);
        if (schema.has("properties")) {
            mapping(schema, place);
        } else if (rules.size() == 1) {
            JsonNode rule = rules.get(0);
            String holds = type(schema, place.value()) + " && " + cel(rule, place);
            add(place, place.given(holds, MUST_HOLD), place.found() + message(rule));
        } else {
            String holds = type(schema, place.value()) + bounds(schema, place.value());
            add(place, place.given(holds, MUST_HOLD), place.found() + "write " + allowed(schema));
            rules.forEach(rule -> add(place, place.given(cel(rule, place), IF_KNOWN), message(rule)));
        }
        if (schema.has("items")) {
            check(schema.get("items"), place.each("[]"));
        }
        if (schema.has("additionalProperties")) {
            check(schema.get("additionalProperties"), place.each(".*"));
        }
    }

    private static String cel(JsonNode rule, Place place) {
        return CelToHcl.translated(rule.get("rule").asText(), place.value()).hcl();
    }

    private static String message(JsonNode rule) {
        return escaped(rule.get("message").asText());
    }

    private static String escaped(String text) {
        String quoted = quoted(text);
        return quoted.substring(1, quoted.length() - 1);
    }

    private void mapping(JsonNode schema, Place place) {
        List<String> keys = new ArrayList<>();
        schema.get("properties").fieldNames().forEachRemaining(keys::add);
        String unknown = "setsubtract(keys(%s), %s)".formatted(place.value(), quoted(keys));
        String found = place.loops().isEmpty()
                ? "found ${try(join(\", \", %s), jsonencode(%s), \"\")}; ".formatted(unknown, place.value())
                : "";
        add(
                place,
                place.given("length(%s) == 0".formatted(unknown), MUST_HOLD),
                found + "allowed here: " + String.join(", ", keys));
        schema.path("required").forEach(name -> {
            String present = "try(%s.%s, null) != null".formatted(place.value(), name.asText());
            add(place.key(name.asText()), place, place.given(present, MUST_HOLD), "missing; write it");
        });
        schema.get("properties").properties().forEach(key -> check(key.getValue(), place.key(key.getKey())));
        if (place.loops().isEmpty()) {
            rules(schema, place);
        }
    }

    /** Rules about several keys: of one variable its own, of several variables a line of {@code local.faults}. */
    private void rules(JsonNode schema, Place place) {
        for (JsonNode rule : schema.path(StructuralSchema.RULES)) {
            Expression holds = CelToHcl.translated(rule.get("rule").asText(), place.value());
            String message = place.path() + rule.path("fieldPath").asText() + ": " + sentence(rule, place.value());
            if (place.value().equals("var") && holds.roots().size() > 1) {
                faults.append("    try(%s, true) ? \"\" : \"%s\",\n".formatted(holds.hcl(), message));
            } else {
                String given = place.value().equals("var")
                        ? "try(%s, true)".formatted(holds.hcl())
                        : place.given(holds.hcl(), IF_KNOWN);
                append(holds.roots().iterator().next(), given, message);
            }
        }
    }

    private static String sentence(JsonNode rule, String self) {
        return rule.has("message")
                ? message(rule)
                : "${try(%s, \"\")}"
                        .formatted(CelToHcl.translated(
                                        rule.get("messageExpression").asText(), self)
                                .hcl());
    }

    private void add(Place place, String condition, String message) {
        add(place, place, condition, message);
    }

    private void add(Place reported, Place place, String condition, String message) {
        String root = place.loops().isEmpty()
                ? place.value()
                : place.loops().getFirst().replaceFirst("^.* in ", "");
        append(root.split("\\.")[1], condition, reported.path() + ": " + message);
    }

    private void append(String variable, String condition, String message) {
        validations.get(variable).append("""

                  validation {
                    condition     = %s
                    error_message = "%s"
                  }
                """.formatted(condition, message));
    }

    /** By its JSON, because Terraform would convert a text to a number, and a number to a text. */
    private static String type(JsonNode schema, String value) {
        String begin = switch (schema.path("type").asText()) {
            case "string" -> "^\"";
            case "integer", "number" -> "^[-0-9]";
            case "boolean" -> "^(true|false)$";
            case "array" -> "^\\[";
            case "object" -> "^\\{";
            default -> "^[-0-9\"]";
        };
        return "can(regex(%s, jsonencode(%s)))".formatted(quoted(begin), value);
    }

    private static String bounds(JsonNode schema, String value) {
        var text = new StringBuilder();
        for (Map.Entry<String, JsonNode> key : schema.properties()) {
            String bound = key.getValue().asText();
            text.append(
                    switch (key.getKey()) {
                        case "minimum" ->
                            " && %s %s %s".formatted(value, schema.has("exclusiveMinimum") ? ">" : ">=", bound);
                        case "maximum" ->
                            " && %s %s %s".formatted(value, schema.has("exclusiveMaximum") ? "<" : "<=", bound);
                        case "format" -> " && floor(%s) == %s".formatted(value, value);
                        case "maxLength", "maxItems", "maxProperties" -> " && length(%s) <= %s".formatted(value, bound);
                        case "pattern" -> " && can(regex(%s, %s))".formatted(quoted(bound), value);
                        case "enum" -> " && contains(%s, %s)".formatted(quoted(names(key.getValue())), value);
                        default -> "";
                    });
        }
        return text.toString();
    }

    private static String allowed(JsonNode schema) {
        return switch (schema.get("type").asText()) {
            case "string" -> schema.has("enum") ? "one of " + String.join(", ", names(schema.get("enum"))) : "a text";
            case "boolean" -> "true or false";
            case "array" -> "a list of at most " + schema.path("maxItems").asText();
            case "object" ->
                "a mapping of at most %s entries"
                        .formatted(schema.get("maxProperties").asText());
            case "integer" -> "a whole number " + range(schema);
            default -> "a number " + range(schema);
        };
    }

    private static String range(JsonNode schema) {
        return "%s %s %s %s"
                .formatted(
                        schema.has("exclusiveMinimum") ? "above" : "from",
                        schema.get("minimum").asText(),
                        schema.has("exclusiveMaximum")
                                ? "to below"
                                : schema.has("exclusiveMinimum") ? "and up to" : "to",
                        schema.get("maximum").asText());
    }

    private static List<String> names(JsonNode texts) {
        List<String> names = new ArrayList<>();
        texts.forEach(text -> names.add(text.asText()));
        return names;
    }
}
