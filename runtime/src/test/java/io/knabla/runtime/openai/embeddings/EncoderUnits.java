package io.knabla.runtime.openai.embeddings;

import io.knabla.functions.decoder.TestEncoder;
import io.knabla.functions.packaging.FolderPackager;
import io.knabla.functions.packaging.PackagingResult;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Path;

/** Packages folders of encoders, and opens the units. */
final class EncoderUnits {
    private EncoderUnits() {}

    /** A small model of the test resources. */
    static EncoderModel open(String name, Path scratch) throws IOException {
        return open(TestEncoder.of(name).write(scratch.resolve(name)), "", scratch);
    }

    /** @param more of the spec, as in {@code , quantize: {type: Int8}} */
    static EncoderModel open(Path model, String more, Path scratch) {
        var store = new MemoryObjectStore();
        String function =
                "{apiVersion: knabla.dev/v1alpha1, kind: Function, metadata: {name: m}, spec: {type: Encoder, model: m%s}}"
                        .formatted(more);
        if (!(FunctionYaml.parse(function) instanceof Parsed.Valid(var resource))) {
            throw new AssertionError(function);
        }
        return switch (FolderPackager.pack(model, resource.spec(), store)) {
            case PackagingResult.Packaged packaged ->
                EncoderModel.open(new UnitStore(store).materialise(packaged.unit(), scratch.resolve("cache")), 2);
            case PackagingResult.Refused(var faults) -> throw new AssertionError(faults);
        };
    }
}
