package io.knabla.controller.home;

import io.knabla.functions.spec.FunctionSpec;
import java.nio.file.Path;

/**
 * Argument files with which Java starts a replica; each has an AOT cache of its own, with the classes that it needs.
 */
public enum ReplicaArguments {
    /** For units that are a graph, only read from the store. */
    Graphs("replica.args"),
    /** For units of all types that are only read; pool members, which do not know their unit, and texts. */
    Readers("replica-all.args"),
    /** For processes that also write to the store, or read more than units: with the SDK of S3. */
    Writers("replica-s3.args");

    private final String file;

    ReplicaArguments(String file) {
        this.file = file;
    }

    public static ReplicaArguments of(FunctionSpec spec) {
        if (spec.writesToStore()) {
            return Writers;
        }
        return spec.takesText() ? Readers : Graphs;
    }

    public String file() {
        return file;
    }

    /** The file beside another. */
    public Path beside(Path other) {
        return other.resolveSibling(file);
    }
}
