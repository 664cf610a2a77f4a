package io.knabla.controller.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What generators of clients need of the OpenAPI document. */
@QuarkusTest
@QuarkusTestResource(TemporaryHome.class)
class OpenApiAppTest {
    private JsonNode document;

    @BeforeEach
    void read() throws IOException {
        document = new ObjectMapper()
                .readTree(given().accept("application/json").get("/q/openapi").asString());
    }

    private void operations(BiConsumer<String, JsonNode> each) {
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(method -> method.getValue().has("responses"))
                        .forEach(method -> each.accept(method.getKey() + " " + path.getKey(), method.getValue())));
    }

    @Test
    void everyOperationHasANameOfItsOwn() {
        List<String> names = new ArrayList<>();
        operations((path, operation) -> {
            assertThat(operation.path("operationId").asText()).as(path).matches("[a-z]+[A-Za-z]+");
            assertThat(operation.path("summary").asText()).as(path).isNotBlank();
            names.add(operation.path("operationId").asText());
        });

        assertThat(names).hasSizeGreaterThan(25).doesNotHaveDuplicates();
    }

    @Test
    void everyAnswerInJsonHasASchema() {
        operations((path, operation) -> {
            assertThat(operation.at("/responses/default/$ref").asText())
                    .as(path)
                    .isEqualTo("#/components/responses/Problem");
            operation.path("responses").properties().stream()
                    .filter(response -> response.getKey().startsWith("2"))
                    .map(Map.Entry::getValue)
                    .filter(response -> response.has("content"))
                    .forEach(response -> response.path("content")
                            .forEach(form ->
                                    assertThat(form.path("schema")).as(path).isNotEmpty()));
        });
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        List<String> references = document.findValuesAsText("$ref");

        assertThat(references)
                .hasSizeGreaterThan(50)
                .allSatisfy(reference -> assertThat(
                                document.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
    }

    @Test
    void functionsAreTyped() {
        JsonNode schemas = document.at("/components/schemas");
        JsonNode view = schemas.path("FunctionView");

        assertThat(document.path("openapi").asText()).startsWith("3.0");
        assertThat(view.path("required").toString())
                .contains("\"name\"", "\"traffic\"")
                .doesNotContain("readyVersion");
        assertThat(view.at("/properties/spec/$ref").asText()).endsWith("/FunctionSpec");
        assertThat(view.at("/properties/replicas/$ref").asText()).endsWith("/ReplicaCounts");
        assertThat(schemas.at("/FunctionSpec/properties/scaling/properties/max/type")
                        .asText())
                .isEqualTo("integer");
        assertThat(schemas.at("/FunctionSpec/properties/type/enum").toString()).contains("TrainingStep");
        assertThat(schemas.at("/TrafficTarget/properties/percent/type").asText())
                .isEqualTo("integer");
        assertThat(schemas.at("/Analysis/properties/flops/type").asText()).isEqualTo("integer");
        assertThat(document.at("/paths/~1api~1v1~1functions/post/requestBody/content/application~1json/schema/$ref")
                        .asText())
                .endsWith("/Function");
        assertThat(document.at("/components/responses/Problem/content/application~1problem+json/example/detail")
                        .asText())
                .isNotBlank();
    }

    @Test
    void servesThePageThatErrorsLeadTo() {
        String type = given().get("/api/v1/functions/default/none").jsonPath().getString("type");

        assertThat(type).isEqualTo("/docs/errors#unknown-function");
        assertThat(given().get("/docs/errors").asString()).contains("<h2 id=\"unknown-function\">", "./knabla list");
        assertThat(given().get("/docs/function-yaml").asString()).contains("<h2 id=\"spec.scaling.max\">");
        assertThat(given().get("/nothing").jsonPath().getString("type")).isEqualTo("/docs/errors#not-found");
    }
}
