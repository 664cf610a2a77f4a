package io.knabla.controller.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PrefillCheckTest {
    private static final Specs TEXT = Specs.inference().type(FunctionType.Generation);
    private static final Specs SPLIT = TEXT.prefill("reader");

    @Test
    void theFunctionThatReadsPromptsMustGenerateText() {
        assertThat(warning(SPLIT, "default", Map.of("reader", TEXT))).isEmpty();
        assertThat(warning(TEXT, "default", Map.of())).isEmpty();
        assertThat(warning(SPLIT, "other", Map.of("reader", TEXT)))
                .contains("spec.generation.prefill.function: there is no function 'reader' in namespace other;"
                        + " until there is one of type Generation, replicas read prompts themselves");
        assertThat(warning(SPLIT, "default", Map.of("reader", Specs.inference())))
                .contains("spec.generation.prefill.function: function 'reader' is of type Inference;"
                        + " until there is one of type Generation, replicas read prompts themselves");
    }

    /** @param functions of the namespace {@code default} */
    private static Optional<String> warning(Specs specs, String namespace, Map<String, Specs> functions) {
        var resource = new FunctionResource(namespace, "writer", specs.spec());
        return PrefillCheck.warning(
                resource,
                id -> Optional.ofNullable(functions.get(id.name()))
                        .filter(_ -> id.namespace().equals("default"))
                        .map(found -> found.record(id.name(), Instant.EPOCH)));
    }
}
