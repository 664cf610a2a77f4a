package io.knabla.controller.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.storage.memory.MemoryObjectStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PrefillCheckTest {
    private static final Specs TEXT = Specs.inference().type(FunctionType.Generation);
    private static final Specs SPLIT = TEXT.prefill("reader");

    private final MemoryObjectStore store = new MemoryObjectStore();
    private final MapCatalog catalog = new MapCatalog();
    private final Digest unit = unit(1, 1);

    @Test
    void aFunctionThatReadsItsPromptsItselfIsNotWarnedOf() {
        assertThat(warning(TEXT, "default")).isEmpty();
    }

    @Test
    void aFunctionDoesNotReadPromptsForItself() {
        assertThat(faults("reader"))
                .singleElement()
                .hasToString(
                        "spec.generation.prefill.function: found 'reader', which is this function; name another one,"
                                + " or leave prefill out: then replicas read their own prompts");
        assertThat(faults("writer")).isEmpty();
    }

    private static List<Fault> faults(String name) {
        return PrefillCheck.faults(new FunctionResource("default", name, SPLIT.spec()));
    }

    @Test
    void theFunctionThatReadsPromptsMustExist() {
        deploy(TEXT, unit);

        assertThat(warning(SPLIT, "other"))
                .contains("spec.generation.prefill.function: there is no function 'reader' in namespace other;"
                        + " until it exists, replicas read prompts themselves");
    }

    @Test
    void theFunctionThatReadsPromptsMustGenerateText() {
        deploy(Specs.inference(), Specs.digest(1));

        assertThat(warning(SPLIT, "default"))
                .contains("spec.generation.prefill.function: function 'reader' is of type Inference;"
                        + " until it is of type Generation, replicas read prompts themselves");
    }

    @Test
    void theFunctionThatReadsPromptsMustComputeTheSameKeysAndValues() {
        deploy(TEXT, unit(1, 2));
        assertThat(warning(SPLIT, "default")).as("of other settings").isEmpty();

        deploy(TEXT, unit(2, 1));
        assertThat(warning(SPLIT, "default"))
                .contains(
                        "spec.generation.prefill.function: function 'reader' computes other keys and values; until it has"
                                + " the same model, quantize, generation.contextLength and generation.kvCache.type, replicas read"
                                + " prompts themselves");
    }

    @Test
    void aUnitThatCannotBeReadIsNotWarnedOf() {
        deploy(TEXT, Specs.digest(1));

        assertThat(warning(SPLIT, "default")).isEmpty();
    }

    /** The other order: the function that reads is deployed after the one that names it. */
    @Test
    void aFunctionThatReadsForOthersComputesTheirKeysAndValues() {
        deploy("writer", SPLIT, unit);
        deploy("other", TEXT, unit);

        assertThat(warnings("default", "reader", TEXT, unit(1, 2))).isEmpty();
        assertThat(warnings("other", "reader", TEXT, unit(2, 1))).isEmpty();
        assertThat(warnings("default", "reader", TEXT, unit(2, 1)))
                .containsExactly(
                        "function 'writer' sends its prompts to this one, but computes other keys and values; until it has"
                                + " the same model, quantize, generation.contextLength and generation.kvCache.type, its replicas read"
                                + " prompts themselves");
    }

    private Optional<String> warning(Specs specs, String namespace) {
        return warnings(namespace, "writer", specs, unit).stream().findFirst();
    }

    private List<String> warnings(String namespace, String name, Specs specs, Digest next) {
        return new PrefillCheck(catalog, store).warnings(new FunctionResource(namespace, name, specs.spec()), next);
    }

    private void deploy(Specs specs, Digest of) {
        deploy("reader", specs, of);
    }

    private void deploy(String name, Specs specs, Digest of) {
        Version version = specs.version(1, Instant.EPOCH);
        catalog.put(new FunctionRecord(
                Specs.id(name),
                List.of(new Version(1, version.spec(), of, version.model(), version.created())),
                List.of(),
                ""));
    }

    private Digest unit(int weights, int settings) {
        return new UnitStore(store)
                .write(new FileManifest(
                        "Generation",
                        Map.of(
                                "weights.bin",
                                new Blob(Specs.digest(weights), 1),
                                GenerationSettings.FILE,
                                new Blob(Specs.digest(settings), 1))));
    }
}
