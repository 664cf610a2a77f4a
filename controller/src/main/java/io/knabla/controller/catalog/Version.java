package io.knabla.controller.catalog;

import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.unit.Digest;
import java.time.Instant;
import java.util.Optional;

/**
 * One immutable deploy of a function; only its scaling bounds may change, because replicas do not depend on them.
 *
 * @param number 1, 2, 3 … within the function
 * @param spec with the pool that was decided, if one was
 * @param model digest of the model file it was packaged from
 * @param pool empty where the file names the pool, or there was no choice
 */
public record Version(
        int number, FunctionSpec spec, Digest unit, Digest model, Instant created, Optional<PoolDecision> pool) {
    /** A version for whose pool there was no choice. */
    public Version(int number, FunctionSpec spec, Digest unit, Digest model, Instant created) {
        this(number, spec, unit, model, created, Optional.empty());
    }

    public Version withSpec(FunctionSpec other) {
        return new Version(number, other, unit, model, created, pool);
    }

    /** The spec as its file says it. */
    public FunctionSpec askedSpec() {
        return pool.isPresent() ? spec.withPool(FunctionSpec.Pool.auto) : spec;
    }
}
