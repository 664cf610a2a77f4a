package io.knabla.controller.catalog;

import io.knabla.storage.ObjectKey;
import java.util.Optional;

/** Builds the store keys of the weights of training steps. */
public final class StateKeys {
    public static final String PREFIX = "states/";
    private static final String SUFFIX = ".safetensors";

    private StateKeys() {}

    /**
     * The key of a training step's state; empty for other functions. The key contains the deploy time: a late write for
     * a deleted function never becomes the state of a new function of the same name.
     */
    public static Optional<ObjectKey> of(FunctionId id, Version version) {
        return version.spec().writesToStore()
                ? Optional.of(new ObjectKey(
                        prefix(id) + version.number() + "-" + version.created().toEpochMilli() + SUFFIX))
                : Optional.empty();
    }

    /** Common prefix of all state keys of one function. */
    public static String prefix(FunctionId id) {
        return PREFIX + id.namespace() + "/" + id.name() + "/";
    }

    /** The function that a state key belongs to; empty for other keys. */
    public static Optional<FunctionId> function(ObjectKey key) {
        String[] parts = key.path().split("/");
        return parts.length == 4 && key.path().startsWith(PREFIX)
                ? Optional.of(new FunctionId(parts[1], parts[2]))
                : Optional.empty();
    }
}
