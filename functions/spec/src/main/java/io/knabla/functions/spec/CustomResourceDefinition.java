package io.knabla.functions.spec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Generates the CRD of Function. Its frame is a resource file; the schema of {@code spec} comes from the reader of
 * function.yaml, with a description per key and a CEL rule per cross-field rule.
 */
public final class CustomResourceDefinition {
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
            .build();

    private CustomResourceDefinition() {}

    public static ObjectNode document() {
        ObjectNode document = read("crd.yaml");
        ObjectNode root = schema(document);
        ObjectNode spec = FunctionSchema.SPEC.schema();
        ((ObjectNode) root.get("properties")).set("spec", spec);
        Descriptions.from(read("descriptions.yaml")).into(spec);
        Validations.into(root);
        return document;
    }

    /** The text of the file in {@code k8s/base/crd}. */
    public static String yaml() {
        try {
            return YAML.writeValueAsString(document());
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree of plain values must be writable", impossible);
        }
    }

    static ObjectNode schema(JsonNode document) {
        return (ObjectNode) document.at("/spec/versions/0/schema/openAPIV3Schema");
    }

    private static ObjectNode read(String resource) {
        try (InputStream bytes = CustomResourceDefinition.class.getResourceAsStream(resource)) {
            return (ObjectNode) YAML.readTree(bytes);
        } catch (IOException broken) {
            throw new UncheckedIOException(resource + " cannot be read", broken);
        }
    }

    /** Descriptions of the keys; each must be used exactly once. */
    private record Descriptions(ObjectNode sentences, List<String> missing) {
        static Descriptions from(ObjectNode sentences) {
            return new Descriptions(sentences, new ArrayList<>());
        }

        void into(ObjectNode spec) {
            describe("spec", spec);
            if (!missing.isEmpty() || !sentences.isEmpty()) {
                List<String> left = new ArrayList<>();
                sentences.fieldNames().forEachRemaining(left::add);
                throw new IllegalStateException(
                        "descriptions.yaml lacks %s; it describes what is no key: %s".formatted(missing, left));
            }
        }

        private void describe(String path, ObjectNode node) {
            JsonNode sentence = sentences.remove(path);
            if (sentence == null) {
                missing.add(path);
            } else {
                node.put("description", sentence.asText() + StructuralSchema.allowed(node));
            }
            JsonNode block = node.path("items").has("properties") ? node.get("items") : node;
            block.path("properties")
                    .properties()
                    .forEach(key -> describe(path + "." + key.getKey(), (ObjectNode) key.getValue()));
        }
    }
}
