package io.knabla.controller.local.gateway;

import io.knabla.controller.catalog.FunctionRecord;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Route of one function: its record, its traffic split and one queue per version. Immutable; a change replaces it.
 *
 * @param queues by version
 */
record FunctionRoute(FunctionRecord record, TrafficSplit split, Map<Integer, VersionQueue> queues) {
    FunctionRoute {
        queues = Map.copyOf(queues);
    }

    /** Whether a path may name its model so: by the function's name, or by the served name of its newest version. */
    boolean isNamed(String model) {
        return model.equals(record.id().name())
                || servedName().filter(model::equals).isPresent();
    }

    Optional<String> servedName() {
        return record.latest().spec().callerView().servedName();
    }

    /** The queues of all versions, oldest first. */
    Stream<VersionQueue> ordered() {
        return queues.values().stream().sorted(Comparator.comparing(queue -> queue.key.version()));
    }

    VersionQueue choose(RandomGenerator random) {
        return queues.get(split.choose(split.single() ? 0 : random.nextInt(split.total())));
    }

    Optional<VersionQueue> queue(int version) {
        return Optional.ofNullable(queues.get(version));
    }
}
