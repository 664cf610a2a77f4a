package io.knabla.controller.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.spec.CustomResourceDefinition;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/**
 * Completes the OpenAPI document of the control API when the controller is built: the error of every operation, the
 * schema of function.yaml, query parameters that are read by hand, and which fields an answer always has.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public final class ApiDocument implements OASFilter {
    private static final List<String> COST_PARAMETERS =
            List.of("from", "to", "period", "tz", "by", "scenario", "format");
    private static final Set<String> WITH_PERIOD = Set.of("getCosts", "compareCosts", "queryCosts");

    @Override
    public Operation filterOperation(Operation operation) {
        // Answers without a body, to which the scanner gives an empty form.
        operation.getResponses().getAPIResponses().values().stream()
                .filter(response -> response.getContent() != null
                        && response.getContent().getMediaTypes().values().stream()
                                .map(MediaType::getSchema)
                                .allMatch(schema ->
                                        schema == null || schema.getRef() == null && schema.getType() == null))
                .forEach(response -> response.setContent(null));
        operation
                .getResponses()
                .addAPIResponse("default", OASFactory.createAPIResponse().ref("Problem"));
        if (WITH_PERIOD.contains(String.valueOf(operation.getOperationId()))) {
            COST_PARAMETERS.forEach(name -> operation.addParameter(OASFactory.createParameter()
                    .name(name)
                    .in(Parameter.In.QUERY)
                    .schema(schema(Schema.SchemaType.STRING))));
        }
        return operation;
    }

    @Override
    public void filterOpenAPI(OpenAPI document) {
        JsonNode crd = CustomResourceDefinition.document().at("/spec/versions/0/schema/openAPIV3Schema");
        document.getComponents()
                .addSchema("FunctionSpec", of(crd.at("/properties/spec")))
                .addSchema("Function", function(crd.path("description").asText()));
        Map<String, Schema> schemas = document.getComponents().getSchemas();
        Arrays.stream(Views.class.getDeclaredClasses())
                .filter(view -> schemas.containsKey(view.getSimpleName()))
                .forEach(view -> schemas.get(view.getSimpleName()).setRequired(alwaysThere(view)));
        schemas.entrySet().stream()
                .filter(schema -> schema.getKey().startsWith("Items"))
                .forEach(schema -> schema.getValue().setRequired(List.of("items")));
    }

    private static List<String> alwaysThere(Class<?> view) {
        return Arrays.stream(view.getRecordComponents())
                .filter(field -> !field.getAccessor().isAnnotationPresent(JsonInclude.class))
                .map(RecordComponent::getName)
                .toList();
    }

    private static Schema function(String description) {
        return schema(Schema.SchemaType.OBJECT)
                .description(description)
                .addProperty("apiVersion", schema(Schema.SchemaType.STRING).addEnumeration("knabla.dev/v1alpha1"))
                .addProperty("kind", schema(Schema.SchemaType.STRING).addEnumeration("Function"))
                .addProperty(
                        "metadata",
                        schema(Schema.SchemaType.OBJECT)
                                .addProperty("name", schema(Schema.SchemaType.STRING))
                                .addProperty("namespace", schema(Schema.SchemaType.STRING))
                                .addRequired("name"))
                .addProperty("spec", OASFactory.createSchema().ref("FunctionSpec"))
                .required(List.of("apiVersion", "kind", "metadata", "spec"));
    }

    /** Without defaults and bounds: the descriptions tell them, and generators would send every default. */
    private static Schema of(JsonNode node) {
        // Text or a number in function.yaml: as text both can be written.
        boolean quantity = node.path("x-kubernetes-int-or-string").asBoolean();
        Schema schema = schema(
                quantity
                        ? Schema.SchemaType.STRING
                        : Schema.SchemaType.valueOf(node.path("type").asText().toUpperCase(Locale.ROOT)));
        text(node, "description", schema::setDescription);
        text(node, "format", schema::setFormat);
        node.path("enum").forEach(value -> schema.addEnumeration(value.asText()));
        node.path("required").forEach(key -> schema.addRequired(key.asText()));
        node.path("properties")
                .properties()
                .forEach(property -> schema.addProperty(property.getKey(), of(property.getValue())));
        if (node.has("items")) {
            schema.setItems(of(node.get("items")));
        }
        if (node.path("additionalProperties").isObject()) {
            schema.setAdditionalPropertiesSchema(of(node.get("additionalProperties")));
        }
        return schema;
    }

    private static void text(JsonNode node, String key, Consumer<String> setter) {
        if (node.has(key)) {
            setter.accept(node.get(key).asText());
        }
    }

    private static Schema schema(Schema.SchemaType type) {
        return OASFactory.createSchema().addType(type);
    }
}
