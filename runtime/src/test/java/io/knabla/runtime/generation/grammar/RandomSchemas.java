package io.knabla.runtime.generation.grammar;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/** JSON schemas of all supported keywords, from a seed. */
public final class RandomSchemas {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> NAMES = List.of("a", "ab", "name", "x y", "q\"t", "back\\", "n", "items", "");
    private static final List<String> PATTERNS = List.of(
            "^[a-z]{2,5}$",
            "^(ab|cd)+$",
            "x[0-9]*y",
            "^a",
            "z$",
            "^[A-Z][a-z.-]*( [A-Z][a-z]*){0,2}$",
            "^\\d{3}-\\d{2}$",
            "^[^\"]{1,4}$",
            "^(a|b|)c?$");
    private static final List<String> FORMATS = List.of("date", "time", "date-time", "uuid");
    private static final int DEEPEST = 3;

    private final Random random;

    public RandomSchemas(long seed) {
        random = new Random(seed);
    }

    /** A schema that has a value, as JSON. */
    public String next() {
        ObjectNode schema = random.nextInt(6) == 0 ? recursive() : schema(0);
        schema.put("title", "a schema");
        return schema.toString();
    }

    /** A tree whose nodes refer to their own schema. */
    private ObjectNode recursive() {
        ObjectNode root = JSON.createObjectNode().put("$ref", "#/$defs/node");
        ObjectNode node = root.putObject("$defs").putObject("node").put("type", "object");
        ObjectNode properties = node.putObject("properties");
        properties.set("value", schema(DEEPEST));
        ObjectNode children = properties.putObject("children").put("type", "array");
        children.putObject("items").put("$ref", "#/$defs/node");
        children.put("maxItems", 1 + random.nextInt(2));
        node.putArray("required").add("value");
        node.put("additionalProperties", false);
        return root;
    }

    private ObjectNode schema(int depth) {
        int kinds = depth < DEEPEST ? 12 : 8;
        return switch (random.nextInt(kinds)) {
            case 0 -> typed(random.nextBoolean() ? "null" : "boolean");
            case 1 -> integer();
            case 2 -> number();
            case 3, 4 -> string();
            case 5 -> typed("string").put("pattern", any(PATTERNS));
            case 6 -> typed("string").put("format", any(FORMATS));
            case 7 -> constant();
            case 8 -> array(depth);
            case 9 -> alternatives(depth);
            default -> object(depth);
        };
    }

    private static ObjectNode typed(String type) {
        return JSON.createObjectNode().put("type", type);
    }

    private String any(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }

    private ObjectNode integer() {
        ObjectNode schema = typed("integer");
        int low = random.nextInt(2000) - 1000;
        if (random.nextBoolean()) {
            schema.put(random.nextBoolean() ? "minimum" : "exclusiveMinimum", low);
        }
        if (random.nextBoolean()) {
            schema.put(random.nextBoolean() ? "maximum" : "exclusiveMaximum", low + 2 + random.nextInt(1500));
        }
        return schema;
    }

    private ObjectNode number() {
        ObjectNode schema = typed("number");
        int low = random.nextInt(7) - 3;
        if (random.nextBoolean()) {
            schema.put(random.nextBoolean() ? "minimum" : "exclusiveMinimum", low);
        }
        if (random.nextBoolean()) {
            schema.put(random.nextBoolean() ? "maximum" : "exclusiveMaximum", low + 1 + random.nextInt(200));
        }
        return schema;
    }

    private ObjectNode string() {
        ObjectNode schema = typed("string");
        int least = random.nextInt(4);
        if (random.nextBoolean()) {
            schema.put("minLength", least);
        }
        return schema.put("maxLength", least + random.nextInt(8));
    }

    private ObjectNode constant() {
        ObjectNode schema = JSON.createObjectNode();
        if (random.nextBoolean()) {
            schema.put("const", any(NAMES));
            return schema;
        }
        ArrayNode values = schema.putArray("enum");
        values.add(1)
                .add("1")
                .add(2.5)
                .add(true)
                .addNull()
                .add("é\n\"")
                .addObject()
                .putArray("k")
                .add("v");
        if (random.nextBoolean()) {
            schema.putArray("type").add("string").add("null");
        }
        return schema;
    }

    private ObjectNode array(int depth) {
        ObjectNode schema = typed("array");
        boolean prefix = random.nextInt(3) == 0;
        if (prefix) {
            schema.putArray("prefixItems").add(schema(depth + 1)).add(schema(depth + 1));
        }
        if (!prefix || random.nextBoolean()) {
            schema.set("items", schema(depth + 1));
        }
        int least = random.nextInt(3);
        schema.put("minItems", least);
        if (random.nextBoolean()) {
            schema.put("maxItems", least + random.nextInt(3));
        }
        return schema;
    }

    private ObjectNode alternatives(int depth) {
        ObjectNode schema = JSON.createObjectNode();
        if (random.nextBoolean()) {
            schema.putArray("anyOf")
                    .add(schema(depth + 1))
                    .add(schema(depth + 1))
                    .add(typed("null"));
            return schema;
        }
        ArrayNode options = schema.putArray("oneOf");
        for (String kind : List.of("one", "two")) {
            ObjectNode option = object(depth + 1);
            ((ObjectNode) option.get("properties")).putObject("kind").put("const", kind);
            ((ArrayNode) option.get("required")).add("kind");
            options.add(option);
        }
        return schema;
    }

    private ObjectNode object(int depth) {
        ObjectNode schema = typed("object");
        ObjectNode properties = schema.putObject("properties");
        ArrayNode required = schema.putArray("required");
        for (String name : NAMES) {
            if (random.nextInt(3) == 0) {
                properties.set(name, schema(depth + 1));
                if (random.nextBoolean()) {
                    required.add(name);
                }
            }
        }
        switch (random.nextInt(4)) {
            case 0 -> schema.put("additionalProperties", true);
            case 1 -> schema.set("additionalProperties", schema(DEEPEST));
            case 2 -> schema.put("additionalProperties", false);
            default -> {}
        }
        return schema;
    }
}
