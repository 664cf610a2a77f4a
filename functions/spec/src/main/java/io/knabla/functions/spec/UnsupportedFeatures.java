package io.knabla.functions.spec;

import io.knabla.functions.Fault;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Refuses values that the schema allows but the platform cannot serve. A catalog may hold some of earlier times. */
final class UnsupportedFeatures {
    /** @param unused the CEL rule, which holds if the feature is not used */
    private record Feature(String path, Predicate<FunctionSpec> used, String unused, String sentence) {}

    private static final String STATISTICS =
            "found '%s', but /v2/models/%1$s is the path of the statistics of all models; "
                    .formatted(ModelInterface.RESERVED);

    private static final List<Feature> LINES = List.of(
            new Feature(
                    "spec.model",
                    s -> s.model().startsWith("https:"),
                    "!self.model.startsWith('https:')",
                    "not supported yet: models to download; write the path of a local file, or s3://bucket/key"),
            new Feature(
                    "spec.servedName",
                    s -> s.modelInterface().servedName().equals(Optional.of(ModelInterface.RESERVED)),
                    "!has(self.servedName) || self.servedName != '%s'".formatted(ModelInterface.RESERVED),
                    STATISTICS + "write another name, or leave it out to serve the model under the function's"));

    private UnsupportedFeatures() {}

    static List<Fault> check(FunctionResource resource) {
        return Stream.concat(
                        LINES.stream()
                                .filter(line -> line.used().test(resource.spec()))
                                .map(line -> new Fault(line.path(), line.sentence())),
                        name(resource).stream())
                .toList();
    }

    /** The function's name is that of its model if the spec gives no other. */
    private static Optional<Fault> name(FunctionResource resource) {
        boolean served = resource.spec().modelInterface().servedName().isEmpty();
        return served && resource.name().equals(ModelInterface.RESERVED)
                ? Optional.of(new Fault(
                        "metadata.name", STATISTICS + "choose another name, or give the model one in spec.servedName"))
                : Optional.empty();
    }

    static List<Validation> validations() {
        return LINES.stream()
                .map(line -> Validation.spec(line.path(), line.unused(), line.sentence()))
                .toList();
    }
}
