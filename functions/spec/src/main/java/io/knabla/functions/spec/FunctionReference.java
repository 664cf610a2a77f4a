package io.knabla.functions.spec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The reference of function.yaml as a page: every key with its type, meaning and an example. Types and meanings are
 * those of the CRD; the examples are parts of valid files.
 */
public final class FunctionReference {
    static final List<String> EXAMPLES =
            List.of("serving", "fixed", "classifier", "huber", "adam", "momentum", "generation", "encoder");

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
            .build();

    private static final String PAGE = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>function.yaml</title>
            <style>body {font: 16px/1.5 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em}
            pre {background: #f4f4f4; padding: .5em} h2 small {color: #666; font-weight: normal}</style></head>
            <body><h1>function.yaml</h1>
            <p>The same file for ./knabla deploy and for kubectl apply. ./knabla explain KEY shows one key in a terminal.</p>
            %s</body></html>
            """;

    private static final String KEY = """
            <h2 id="%1$s">%1$s <small>%2$s</small></h2>
            <p>%3$s</p>
            <pre>%4$s</pre>
            """;

    private FunctionReference() {}

    /** @throws IllegalStateException if a key has no example */
    public static String html() {
        JsonNode spec = CustomResourceDefinition.schema(CustomResourceDefinition.document())
                .at("/properties/spec");
        List<JsonNode> examples =
                EXAMPLES.stream().map(FunctionReference::example).toList();
        var keys = new StringBuilder();
        describe(List.of("spec"), spec, examples, keys);
        return PAGE.formatted(keys);
    }

    private static void describe(List<String> path, JsonNode schema, List<JsonNode> examples, StringBuilder into) {
        into.append(KEY.formatted(
                String.join(".", path),
                type(schema),
                escaped(schema.path("description").asText()),
                escaped(yaml(path, examples))));
        JsonNode block = schema.path("items").has("properties") ? schema.get("items") : schema;
        for (var key : block.path("properties").properties()) {
            List<String> below = new ArrayList<>(path);
            below.add(key.getKey());
            describe(below, key.getValue(), examples, into);
        }
    }

    private static String type(JsonNode schema) {
        return schema.path("x-kubernetes-int-or-string").asBoolean()
                ? "number or text"
                : schema.path("type").asText();
    }

    private static String yaml(List<String> path, List<JsonNode> examples) {
        JsonNode value = examples.stream()
                .map(example -> only(example, path))
                .filter(some -> !some.isMissingNode())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no example has " + String.join(".", path)));
        try {
            return YAML.writeValueAsString(value).strip();
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree of plain values must be writable", impossible);
        }
    }

    /** The node with nothing but the value at the path, of a list its first item; missing if it has none. */
    private static JsonNode only(JsonNode node, List<String> path) {
        if (path.isEmpty()) {
            return node;
        }
        if (node.isArray()) {
            JsonNode item = only(node.path(0), path);
            return item.isMissingNode()
                    ? item
                    : JsonNodeFactory.instance.arrayNode().add(item);
        }
        JsonNode below = only(node.path(path.getFirst()), path.subList(1, path.size()));
        return below.isMissingNode()
                ? below
                : JsonNodeFactory.instance.objectNode().set(path.getFirst(), below);
    }

    private static JsonNode example(String name) {
        try {
            return YAML.readTree(text(name));
        } catch (JsonProcessingException broken) {
            throw new IllegalStateException("the example " + name + " is not YAML", broken);
        }
    }

    static String text(String name) {
        try (InputStream bytes = FunctionReference.class.getResourceAsStream("reference/" + name + ".yaml")) {
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the example " + name + " cannot be read", unreadable);
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
