package io.knabla.functions.spec;

import io.knabla.functions.Fault;
import java.util.List;
import java.util.function.Predicate;

/**
 * Refuses values that the schema allows but the platform does not support yet; delete a line when its feature works.
 */
final class UnsupportedFeatures {
    /** @param unused the CEL rule, which holds if the feature is not used */
    private record Feature(String path, Predicate<FunctionSpec> used, String unused, String instead) {
        String sentence() {
            return "not supported yet: " + instead;
        }
    }

    private static final List<Feature> LINES = List.of(new Feature(
            "spec.model",
            s -> s.model().startsWith("https:"),
            "!self.model.startsWith('https:')",
            "models to download; write the path of a local file, or s3://bucket/key"));

    private UnsupportedFeatures() {}

    static List<Fault> check(FunctionSpec spec) {
        return LINES.stream()
                .filter(line -> line.used().test(spec))
                .map(line -> new Fault(line.path(), line.sentence()))
                .toList();
    }

    static List<Validation> validations() {
        return LINES.stream()
                .map(line -> Validation.spec(line.path(), line.unused(), line.sentence()))
                .toList();
    }
}
