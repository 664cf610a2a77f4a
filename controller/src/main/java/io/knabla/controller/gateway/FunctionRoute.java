package io.knabla.controller.gateway;

import io.knabla.controller.catalog.FunctionRecord;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Route of one function: its record, its traffic split and one queue per version. Immutable; a change replaces it.
 *
 * @param queues by version
 */
record FunctionRoute(FunctionRecord record, Split split, Map<Integer, Lane> lanes) {
    FunctionRoute {
        lanes = Map.copyOf(lanes);
    }

    Lane choose(RandomGenerator random) {
        return lanes.get(split.choose(split.single() ? 0 : random.nextInt(split.total())));
    }

    Optional<Lane> lane(int version) {
        return Optional.ofNullable(lanes.get(version));
    }
}
