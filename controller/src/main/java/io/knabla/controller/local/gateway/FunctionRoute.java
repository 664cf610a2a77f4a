package io.knabla.controller.local.gateway;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.VersionShare;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Route of one function: its record, its traffic split and one queue per version. Immutable; a change replaces it.
 *
 * @param tags versions by tag
 * @param queues by version
 */
record FunctionRoute(
        FunctionRecord record, TrafficSplit split, Map<String, Integer> tags, Map<Integer, VersionQueue> queues) {
    FunctionRoute {
        tags = Map.copyOf(tags);
        queues = Map.copyOf(queues);
    }

    static FunctionRoute of(FunctionRecord record, List<VersionShare> traffic, Map<Integer, VersionQueue> queues) {
        Map<Integer, Integer> percents =
                traffic.stream().collect(Collectors.toMap(VersionShare::version, VersionShare::percent, Integer::sum));
        Map<String, Integer> tags = new HashMap<>();
        traffic.forEach(share -> share.tag().ifPresent(tag -> tags.put(tag, share.version())));
        return new FunctionRoute(record, new TrafficSplit(percents), tags, queues);
    }

    /** Whether a path may name its model so: by the function's name, or by the served name of its newest version. */
    boolean isNamed(String model) {
        return model.equals(record.id().name())
                || servedName().filter(model::equals).isPresent();
    }

    Optional<String> servedName() {
        return record.latest().spec().modelInterface().servedName();
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
