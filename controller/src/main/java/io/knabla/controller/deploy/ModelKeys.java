package io.knabla.controller.deploy;

import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.knabla.storage.ForeignAddress;
import io.knabla.storage.ObjectKey;
import java.nio.charset.StandardCharsets;

/** Where deploys keep things in the store. */
final class ModelKeys {
    private ModelKeys() {}

    static ObjectKey model(Digest digest) {
        return ObjectKey.of("models", digest.hex());
    }

    static ObjectKey unit(Digest digest) {
        return ObjectKey.of("units", digest.hex() + ".json");
    }

    /** What an object of another bucket was when it was copied. */
    static ObjectKey source(ForeignAddress address) {
        byte[] name = address.toString().getBytes(StandardCharsets.UTF_8);
        return ObjectKey.of("sources", Sha256.of(name).hex() + ".json");
    }

    /** What packaging learnt of a unit. */
    static ObjectKey origin(Digest unit) {
        return ObjectKey.of("origins", unit.hex() + ".json");
    }

    /** Which unit the engine made of one when it optimised it ahead of time. */
    static ObjectKey optimized(Digest unit) {
        return ObjectKey.of("optimized", unit.hex() + ".json");
    }

    /** That the engine has run a unit once. */
    static ObjectKey check(Digest unit) {
        return ObjectKey.of("checks", unit.hex() + ".json");
    }
}
