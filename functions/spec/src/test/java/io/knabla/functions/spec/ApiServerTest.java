package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.Parsed.Invalid;
import io.knabla.functions.spec.Parsed.Valid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Tests that the CRD and the reader of function.yaml agree: same paths, same messages, equivalent defaults. Runs
 * without a cluster; the cluster suite of the controller tests a real API server.
 */
class ApiServerTest {
    private static final JsonNode SPEC =
            CustomResourceDefinition.schema(CustomResourceDefinition.document()).at("/properties/spec");

    private static List<Validation> crossFieldRules() {
        return Stream.of(CrossFieldRules.rules(), GradientCrossFieldRules.rules(), GenerationCrossFieldRules.rules())
                .flatMap(List::stream)
                .map(CrossFieldRule::validation)
                .toList();
    }

    /** The check in Java finds the values that the sentence needs. */
    @Test
    void everyRuleIsBrokenByAnInvalidSpec() {
        List<Fault> said = BadSpecs.all().stream()
                .flatMap(row -> faults(row.document("model: m.onnx")).stream())
                .toList();

        assertThat(crossFieldRules())
                .allSatisfy(validation -> assertThat(said)
                        .filteredOn(f -> f.path().equals(validation.path()))
                        .extracting(Fault::message)
                        .anyMatch(sentence(validation).asMatchPredicate()));
    }

    private static Pattern sentence(Validation validation) {
        return Pattern.compile(Stream.of(validation.sentence().split("%s", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".+")));
    }

    private static List<Fault> faults(String document) {
        return switch (FunctionYaml.parse(document)) {
            case Valid _ -> List.of();
            case Invalid(var faults) -> faults;
        };
    }

    /** The API server fills defaults into applied objects; the reader must not take them for values of the user. */
    @Property(tries = 1_000)
    void defaultsOfTheApiServerDoNotChangeTheResult(@ForAll long seed) {
        Random random = new Random(seed);
        ObjectNode document = FunctionYaml.toJson(RandomFunctions.resource(random));
        thin((ObjectNode) document.get("spec"), random);
        Parsed before = FunctionYaml.parse(document.toString());

        fill(document.get("spec"), SPEC);

        assertThat(FunctionYaml.parse(document.toString()))
                .as(document.toString())
                .isEqualTo(before);
    }

    private static void thin(ObjectNode block, Random random) {
        List<String> gone = new ArrayList<>();
        for (Map.Entry<String, JsonNode> key : block.properties()) {
            if (random.nextInt(3) == 0) {
                gone.add(key.getKey());
            } else if (key.getValue() instanceof ObjectNode inner) {
                thin(inner, random);
            }
        }
        block.remove(gone);
    }

    private static void fill(JsonNode value, JsonNode schema) {
        if (value instanceof ObjectNode block) {
            for (Map.Entry<String, JsonNode> key : schema.path("properties").properties()) {
                JsonNode standard = key.getValue().get("default");
                if (standard != null && !block.has(key.getKey())) {
                    block.set(key.getKey(), standard);
                }
                fill(block.path(key.getKey()), key.getValue());
            }
        }
        value.elements().forEachRemaining(item -> fill(item, schema.path("items")));
    }
}
