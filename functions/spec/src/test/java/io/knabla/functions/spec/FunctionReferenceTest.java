package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FunctionReferenceTest {
    static List<String> examples() {
        return FunctionReference.EXAMPLES;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void takesExamplesFromValidFiles(String name) {
        assertThat(FunctionYaml.parse(FunctionReference.text(name))).isInstanceOf(Parsed.Valid.class);
    }

    @Test
    void describesEveryKeyOfTheCrdWithAnExample() {
        List<String> keys = new ArrayList<>();
        collect(
                "spec",
                CustomResourceDefinition.schema(CustomResourceDefinition.document())
                        .at("/properties/spec"),
                keys);

        String page = FunctionReference.html();

        assertThat(keys)
                .hasSizeGreaterThan(70)
                .allSatisfy(key -> assertThat(page).contains("<h2 id=\"" + key + "\">"));
        assertThat(page).contains("<pre>spec:\n  scaling:\n    max: 10</pre>").doesNotContain("<p></p>");
    }

    private static void collect(String path, JsonNode schema, List<String> into) {
        into.add(path);
        JsonNode block = schema.path("items").has("properties") ? schema.get("items") : schema;
        block.path("properties").properties().forEach(key -> collect(path + "." + key.getKey(), key.getValue(), into));
    }
}
