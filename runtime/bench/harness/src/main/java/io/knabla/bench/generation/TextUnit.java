package io.knabla.bench.generation;

import io.knabla.bench.server.PackagedUnit;
import io.knabla.functions.packaging.FolderPackager;
import io.knabla.functions.packaging.PackagingResult.Packaged;
import io.knabla.functions.packaging.PackagingResult.Refused;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import java.net.URI;
import java.nio.file.Path;

/**
 * A language model packaged as in a deploy.
 *
 * @param folder of the unit's files
 */
record TextUnit(PackagedUnit packed, Path folder) {
    /** Texts that are generated at the same time. */
    static final int SEQUENCES = 16;

    /** Numbers that weights are kept in. */
    enum Precision {
        Fp32("fp32", ""),
        /** Blocks of 32 as those of llama.cpp's Q4_0. */
        Int4("int4", ", quantize: {type: Int4, blockSize: 32}"),
        /** Blocks of the size that a function has whose function.yaml names none. */
        Int4DefaultBlocks("int4", ", quantize: {type: Int4}");

        /** As the peers call it. */
        final String peerName;

        private final String quantize;

        Precision(String peerName, String quantize) {
            this.peerName = peerName;
            this.quantize = quantize;
        }
    }

    /** @param work folder for the store and the unit's files */
    static TextUnit pack(Path model, Precision precision, Path work) {
        return pack(model, precision, "contextLength: 1280", work);
    }

    /** @param generation keys of {@code spec.generation} besides the number of sequences */
    static TextUnit pack(Path model, Precision precision, String generation, Path work) {
        URI location = work.resolve("store").toUri();
        ObjectStore store = Stores.open(location);
        return switch (FolderPackager.pack(model, spec(model, precision, generation), store)) {
            case Packaged packaged -> {
                Path cache = work.resolve("cache");
                Path folder = new UnitStore(store).materialise(packaged.unit(), cache);
                yield new TextUnit(new PackagedUnit(packaged.unit(), location, cache), folder);
            }
            case Refused refused ->
                throw new IllegalStateException("the packager refuses the benchmark's own model: " + refused.faults());
        };
    }

    private static FunctionSpec spec(Path model, Precision precision, String generation) {
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: bench}
                spec: {type: Generation, model: %s, generation: {%s, maxSequences: %d}%s}
                """.formatted(model, generation, SEQUENCES, precision.quantize);
        return switch (FunctionYaml.parse(yaml)) {
            case Parsed.Valid(var resource) -> resource.spec();
            case Parsed.Invalid(var faults) -> throw new IllegalStateException("" + faults);
        };
    }
}
