package io.knabla.controller.models;

import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.knabla.storage.ExternalAddress;
import io.knabla.storage.ObjectKey;
import java.nio.charset.StandardCharsets;

/** Builds the store keys of models, units and the documents about them. */
public final class ModelKeys {
    private ModelKeys() {}

    static ObjectKey model(Digest digest) {
        return ObjectKey.of("models", digest.hex());
    }

    static ObjectKey unit(Digest digest) {
        return ObjectKey.of("units", digest.hex() + ".json");
    }

    /** Record of the copy of an object from another bucket. */
    static ObjectKey source(ExternalAddress address) {
        byte[] name = address.toString().getBytes(StandardCharsets.UTF_8);
        return ObjectKey.of("sources", Sha256.of(name).hex() + ".json");
    }

    /** Provenance of a unit: its model, analysis and warnings. */
    public static ObjectKey origin(Digest unit) {
        return ObjectKey.of("origins", unit.hex() + ".json");
    }

    /** Digest of the optimised unit that the engine created from a unit. */
    public static ObjectKey optimized(Digest unit) {
        return ObjectKey.of("optimized", unit.hex() + ".json");
    }

    /** Result of the engine check of a unit. */
    public static ObjectKey check(Digest unit) {
        return ObjectKey.of("checks", unit.hex() + ".json");
    }
}
