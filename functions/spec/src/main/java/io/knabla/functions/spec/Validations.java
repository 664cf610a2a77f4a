package io.knabla.functions.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;

/** Gathers the CEL rules that the CRD gives to the API server. */
final class Validations {
    private Validations() {}

    /** Adds every rule to the schema of Function. */
    static void into(ObjectNode root) {
        all().forEach(validation -> validation.into(root));
        root.withObjectProperty("properties")
                .withObjectProperty("metadata")
                .withObjectProperty("properties")
                .set("name", name());
    }

    private static ObjectNode name() {
        return StructuralSchema.rule(
                TextFormats.dnsLabel().schema(),
                "!self.matches('^[0-9]')",
                "found a digit at the start; a cluster names services after the function, so begin with a letter");
    }

    static List<Validation> all() {
        return Stream.of(
                        of(CrossFieldRules.rules()),
                        UnsupportedFeatures.validations(),
                        of(GradientCrossFieldRules.rules()),
                        of(GenerationCrossFieldRules.rules()))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Validation> of(List<CrossFieldRule> rules) {
        return rules.stream().map(CrossFieldRule::validation).toList();
    }
}
