package io.knabla.functions.packaging;

import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import io.knabla.storage.ObjectStore;
import java.nio.file.Path;
import java.util.List;

/** Packages the folder of a language model for a test, with or without success as the test expects it. */
public record PackagedFolder(Path folder, FunctionType type, ObjectStore store) {
    /** @param more keys of the spec besides type and model, after a comma */
    public FunctionSpec spec(String more) {
        String text =
                "{apiVersion: knabla.dev/v1alpha1, kind: Function, metadata: {name: f}, spec: {type: %s, model: tiny%s}}"
                        .formatted(type, more);
        return switch (FunctionYaml.parse(text)) {
            case Parsed.Valid(var resource) -> resource.spec();
            case Parsed.Invalid(var faults) -> throw new AssertionError(faults);
        };
    }

    public PackagingResult.Packaged pack(String more) {
        return switch (FolderPackager.pack(folder, spec(more), store)) {
            case PackagingResult.Packaged packaged -> packaged;
            case PackagingResult.Refused(var faults) -> throw new AssertionError(faults);
        };
    }

    public List<Fault> faults(String more) {
        return switch (FolderPackager.pack(folder, spec(more), store)) {
            case PackagingResult.Packaged packaged -> throw new AssertionError(packaged);
            case PackagingResult.Refused(var faults) -> faults;
        };
    }
}
