package io.knabla.controller.deploy;

import io.knabla.controller.catalog.PoolDecision;
import io.knabla.functions.spec.FunctionResource;
import java.util.Optional;

/**
 * A resource that is being deployed, and the pool that was decided for it.
 *
 * @param resource with that pool in its spec
 * @param pool empty where the file names the pool, or there was no choice
 */
record PlacedResource(FunctionResource resource, Optional<PoolDecision> pool) {
    static PlacedResource asAsked(FunctionResource resource) {
        return new PlacedResource(resource, Optional.empty());
    }

    static PlacedResource decided(FunctionResource resource, PoolDecision decision) {
        var placed = new FunctionResource(
                resource.namespace(), resource.name(), resource.spec().withPool(decision.pool()));
        return new PlacedResource(placed, Optional.of(decision));
    }
}
