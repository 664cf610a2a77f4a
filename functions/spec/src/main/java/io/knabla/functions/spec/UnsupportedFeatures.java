package io.knabla.functions.spec;

import static io.knabla.functions.spec.Validation.value;
import static io.knabla.functions.spec.Validation.valueOr;

import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionSpec.WarmPolicy;
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

    private static final List<Feature> LINES = List.of(
            new Feature(
                    "spec.model",
                    s -> s.model().startsWith("https:"),
                    "!self.model.startsWith('https:')",
                    "models to download; write the path of a local file, or s3://bucket/key"),
            new Feature(
                    "spec.keepWarm.policy",
                    s -> s.keepWarm().policy() == WarmPolicy.Always,
                    value("keepWarm.policy", WarmPolicy.Adaptive) + " != 'Always'",
                    "policy Always; write scaling: {min: 1}, which does the same"),
            new Feature(
                    "spec.keepWarm.policy",
                    s -> s.keepWarm().policy() == WarmPolicy.Fixed,
                    value("keepWarm.policy", WarmPolicy.Adaptive) + " != 'Fixed'",
                    "policy Fixed; write scaling: {idleAfter: 10m}, which does the same"),
            new Feature(
                    "spec.keepWarm.schedule",
                    s -> !s.keepWarm().schedule().isEmpty(),
                    valueOr("keepWarm.schedule", "[]") + ".size() == 0",
                    "schedules; write scaling: {min: 1} to stay warm at all times"));

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
