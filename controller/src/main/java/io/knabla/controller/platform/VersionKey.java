package io.knabla.controller.platform;

import io.knabla.controller.catalog.FunctionId;

/** Identifies one version of one function. */
public record VersionKey(FunctionId function, int version) {
    public static VersionKey of(Replica replica) {
        return new VersionKey(replica.function(), replica.version());
    }

    @Override
    public String toString() {
        return function + " version " + version;
    }
}
