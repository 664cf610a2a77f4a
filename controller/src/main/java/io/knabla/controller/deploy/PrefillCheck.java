package io.knabla.controller.deploy;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.functions.spec.FunctionResource;
import java.util.Optional;
import java.util.function.Function;

/**
 * Checks that the function of {@code spec.generation.prefill}, whose replicas read the prompts of another function, is
 * there.
 */
final class PrefillCheck {
    private static final String WARNING =
            "spec.generation.prefill.function: %s '%s' in namespace %s; until there is one, replicas read prompts themselves";

    private PrefillCheck() {}

    /**
     * A sentence if nobody reads prompts for the function now; both may be deployed in either order.
     *
     * @param functions finds a function of the platform
     */
    static Optional<String> warning(
            FunctionResource resource, Function<FunctionId, Optional<FunctionRecord>> functions) {
        return resource.spec().generation().prefill().flatMap(prefill -> {
            var reader = new FunctionId(resource.namespace(), prefill.function());
            return trouble(functions.apply(reader))
                    .map(trouble -> WARNING.formatted(trouble, reader.name(), reader.namespace()));
        });
    }

    private static Optional<String> trouble(Optional<FunctionRecord> reader) {
        if (reader.isEmpty()) {
            return Optional.of("there is no function");
        }
        return Optional.of("type Generation is not that of function")
                .filter(_ -> !reader.get().latest().spec().streamsAnswers());
    }
}
