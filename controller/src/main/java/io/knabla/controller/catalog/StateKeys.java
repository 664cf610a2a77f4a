package io.knabla.controller.catalog;

import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.storage.ObjectKey;
import java.util.Optional;

/** Where training steps keep their weights in the store. */
public final class StateKeys {
    public static final String PREFIX = "states/";
    private static final String SUFFIX = ".safetensors";

    private StateKeys() {}

    /**
     * The key of a training step's state; empty for other functions. With the moment of the deploy in it, a late write
     * for a deleted function can never become the weights of its namesake.
     */
    public static Optional<ObjectKey> of(FunctionId id, Version version) {
        return version.spec().type() == FunctionType.TrainingStep
                ? Optional.of(new ObjectKey(
                        prefix(id) + version.number() + "-" + version.created().toEpochMilli() + SUFFIX))
                : Optional.empty();
    }

    /** What all states of one function begin with. */
    public static String prefix(FunctionId id) {
        return PREFIX + id.namespace() + "/" + id.name() + "/";
    }

    /** The function whose state this is; empty for what is none. */
    public static Optional<FunctionId> function(ObjectKey key) {
        String[] parts = key.path().split("/");
        return parts.length == 4 && key.path().startsWith(PREFIX)
                ? Optional.of(new FunctionId(parts[1], parts[2]))
                : Optional.empty();
    }
}
