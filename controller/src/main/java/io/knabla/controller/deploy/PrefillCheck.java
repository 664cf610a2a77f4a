package io.knabla.controller.deploy;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import java.util.Optional;
import java.util.function.Function;

/** Warns if the function that {@code spec.generation.prefill} names does not exist or generates no text. */
final class PrefillCheck {
    private static final String WARNING =
            "spec.generation.prefill.function: %s; until there is one of type Generation, replicas read prompts themselves";

    private PrefillCheck() {}

    /**
     * A sentence if nobody reads prompts for the function now; both may be deployed in either order.
     *
     * @param functions finds a function of the platform
     */
    static Optional<String> warning(
            FunctionResource resource, Function<FunctionId, Optional<FunctionRecord>> functions) {
        return resource.spec()
                .generation()
                .prefill()
                .map(prefill -> new FunctionId(resource.namespace(), prefill.function()))
                .flatMap(reader -> trouble(reader, functions.apply(reader)))
                .map(WARNING::formatted);
    }

    private static Optional<String> trouble(FunctionId reader, Optional<FunctionRecord> found) {
        if (found.isEmpty()) {
            return Optional.of(
                    "there is no function '%s' in namespace %s".formatted(reader.name(), reader.namespace()));
        }
        FunctionSpec spec = found.get().latest().spec();
        return Optional.of("function '%s' is of type %s".formatted(reader.name(), spec.type()))
                .filter(_ -> !spec.streamsAnswers());
    }
}
