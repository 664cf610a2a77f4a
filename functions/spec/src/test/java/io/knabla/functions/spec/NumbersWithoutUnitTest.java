package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A number alone, in any field that takes a time, in JSON and in YAML. */
class NumbersWithoutUnitTest {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Names from the document's root; an item of a list has none. */
    static Stream<List<String>> durations() {
        return durations(FunctionSchema.RESOURCE.schema(), List.of());
    }

    private static Stream<List<String>> durations(JsonNode schema, List<String> path) {
        Stream<List<String>> fields = schema.path("properties").properties().stream()
                .flatMap(field -> durations(field.getValue(), and(path, field.getKey())));
        Stream<List<String>> items = schema.has("items") ? durations(schema.path("items"), and(path, "")) : Stream.of();
        boolean isDuration = schema.path("x-kubernetes-validations").toString().contains("duration(self)");
        return Stream.of(isDuration ? Stream.of(path) : Stream.<List<String>>of(), fields, items)
                .flatMap(each -> each);
    }

    private static List<String> and(List<String> path, String name) {
        return Stream.concat(path.stream(), Stream.of(name)).toList();
    }

    private static JsonNode with(List<String> path, JsonNode value) {
        JsonNode node = value;
        for (String name : path.reversed()) {
            node = name.isEmpty()
                    ? NODES.arrayNode().add(node)
                    : NODES.objectNode().set(name, node);
        }
        return node;
    }

    @ParameterizedTest
    @MethodSource("durations")
    void isRefused(List<String> path) {
        String at = String.join(".", path).replace("..", "[0].");
        for (JsonNode number : List.of(NODES.numberNode(1), NODES.numberNode(0), NODES.numberNode(1.5))) {
            JsonNode document = with(path, number);
            for (String text : List.of(document.toString(), yaml((ObjectNode) document))) {
                assertThat(FunctionYaml.parse(text))
                        .as(text)
                        .isInstanceOfSatisfying(
                                Parsed.Invalid.class,
                                invalid -> assertThat(invalid.faults()).anySatisfy(fault -> {
                                    assertThat(fault.path()).isEqualTo(at);
                                    assertThat(fault.message())
                                            .startsWith("found the number %s, which has no unit; write a duration"
                                                    .formatted(number));
                                }));
            }
        }
    }

    /** Flow style, which is no JSON for its comment. */
    private static String yaml(ObjectNode document) {
        return "# YAML\n" + document;
    }

    @Test
    void allTimesOfAFunctionAreTried() {
        assertThat(durations().map(path -> path.getLast()))
                .contains("timeout", "idleAfter", "idleTimeout", "duration", "maxDelay", "maxWait");
    }
}
