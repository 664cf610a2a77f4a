package io.knabla.controller.local.gateway;

import io.knabla.controller.catalog.FunctionRecord;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Route of one function: its record, its traffic split and one queue per version. Immutable; a change replaces it.
 *
 * @param queues by version
 */
record FunctionRoute(FunctionRecord record, TrafficSplit split, Map<Integer, VersionQueue> queues) {
    FunctionRoute {
        queues = Map.copyOf(queues);
    }

    VersionQueue choose(RandomGenerator random) {
        return queues.get(split.choose(split.single() ? 0 : random.nextInt(split.total())));
    }

    Optional<VersionQueue> queue(int version) {
        return Optional.ofNullable(queues.get(version));
    }
}
