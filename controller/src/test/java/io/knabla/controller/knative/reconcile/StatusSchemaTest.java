package io.knabla.controller.knative.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import io.knabla.controller.knative.resource.FunctionObjectStatus.Cost;
import io.knabla.controller.knative.resource.FunctionObjectStatus.Replicas;
import io.knabla.functions.spec.CustomResourceDefinition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The CRD's schema has every key of the status: the API server silently drops unknown keys. */
class StatusSchemaTest {
    private static final JsonNode STATUS =
            CustomResourceDefinition.document().at("/spec/versions/0/schema/openAPIV3Schema/properties/status");

    @Test
    void everyKeyOfTheStatusIsInTheSchemaWithItsType() {
        var status = new FunctionObjectStatus(
                1L,
                "http://digits",
                Map.of("canary", "http://canary-digits"),
                2,
                1,
                "cpu",
                new Replicas(1, 2),
                new Cost("0.1", "62%"),
                "sha256:0",
                JsonNodeFactory.instance.objectNode().put("flops", 7),
                List.of(new ConditionBuilder()
                        .withType("Ready")
                        .withStatus("True")
                        .withReason("Ready")
                        .withMessage("answers")
                        .withObservedGeneration(1L)
                        .withLastTransitionTime("2026-11-21T00:00:00Z")
                        .build()));

        known("status", new ObjectMapper().valueToTree(status), STATUS);
    }

    private static void known(String path, JsonNode value, JsonNode schema) {
        assertThat(schema.path("type").asText()).as(path).isEqualTo(type(value));
        if (schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
            return;
        }
        if (schema.has("additionalProperties")) {
            value.forEach(each -> known(path + ".*", each, schema.get("additionalProperties")));
            return;
        }
        assertThat(names(value)).as(path).containsExactlyInAnyOrderElementsOf(names(schema.path("properties")));
        for (Map.Entry<String, JsonNode> key : value.properties()) {
            String name = key.getKey();
            known(path + "." + name, key.getValue(), schema.at("/properties/" + name));
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            known(path + "[" + i + "]", value.get(i), schema.path("items"));
        }
    }

    private static String type(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case NUMBER -> "integer";
            case STRING -> "string";
            case BOOLEAN, BINARY, MISSING, NULL, POJO ->
                throw new AssertionError(value.getNodeType() + " has no place in a status");
        };
    }

    private static List<String> names(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).toList();
    }
}
