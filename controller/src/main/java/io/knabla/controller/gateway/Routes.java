package io.knabla.controller.gateway;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.cluster.Cluster;
import io.knabla.controller.cluster.Replica;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.controller.scale.Trouble;
import io.knabla.controller.scale.VersionKey;
import io.knabla.controller.scale.VersionLoad;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Routing table of functions and their versions, updated by events of catalog and cluster. Reads never block;
 * changes are made one at a time.
 */
final class Routes {
    private final Catalog catalog;
    private final Cluster cluster;
    private final Autoscaler autoscaler;
    private final MeterRegistry meters;
    private final int mostHeld;
    private final Map<FunctionId, FunctionRoute> routes = new ConcurrentHashMap<>();

    Routes(Catalog catalog, Cluster cluster, Autoscaler autoscaler, MeterRegistry meters, int maxQueued) {
        this.catalog = catalog;
        this.cluster = cluster;
        this.autoscaler = autoscaler;
        this.meters = meters;
        this.mostHeld = maxQueued;
    }

    /** Must be called after the autoscaler has started: only versions that it knows are routed to. */
    void start() {
        autoscaler.countInFlight(this::inFlight);
        autoscaler.onTrouble((key, trouble) -> lane(key).ifPresent(queue -> queue.fail(trouble)));
        cluster.onChange(this::replicaChanged);
        catalog.onChange((id, now) -> functionChanged(id));
        catalog.list().forEach(record -> functionChanged(record.id()));
    }

    Optional<FunctionRoute> find(FunctionId id) {
        return Optional.ofNullable(routes.get(id));
    }

    Collection<FunctionRoute> all() {
        return routes.values();
    }

    private Optional<Lane> lane(VersionKey key) {
        return find(key.function()).flatMap(route -> route.lane(key.version()));
    }

    private int inFlight(String replica) {
        return routes.values().stream()
                .flatMap(route -> route.lanes().values().stream())
                .mapToInt(queue -> queue.inFlight(replica))
                .sum();
    }

    /** Reads the record again: of two concurrent changes, the event that arrives last may carry the older one. */
    private synchronized void functionChanged(FunctionId id) {
        Optional<FunctionRecord> now = catalog.find(id);
        FunctionRoute old = routes.get(id);
        Map<Integer, Lane> queues = now.map(record -> lanes(record, old)).orElse(Map.of());
        now.ifPresentOrElse(record -> routes.put(id, route(record, queues)), () -> routes.remove(id));
        // After the route is replaced: a rejected client that retries must not find the old one.
        if (old != null) {
            old.lanes().values().stream()
                    .filter(queue -> queues.get(queue.key.version()) != queue)
                    .forEach(Routes::close);
        }
        queues.values().stream()
                .filter(queue -> old == null || old.lanes().get(queue.key.version()) != queue)
                .forEach(queue -> queue.seed(cluster));
    }

    private Map<Integer, Lane> lanes(FunctionRecord record, FunctionRoute old) {
        Map<Integer, Lane> queues = new HashMap<>();
        for (Version version : record.versions()) {
            VersionKey key = new VersionKey(record.id(), version.number());
            Optional<Lane> kept = Optional.ofNullable(old)
                    .flatMap(route -> route.lane(version.number()))
                    .filter(queue -> queue.version.created().equals(version.created()));
            Optional<VersionLoad> load = autoscaler.load(key);
            kept.or(() -> load.map(counted -> open(key, version, counted)))
                    .ifPresent(queue -> queues.put(version.number(), queue));
        }
        return queues;
    }

    private Lane open(VersionKey key, Version version, VersionLoad load) {
        Tags tags = Tags.of(
                "namespace", key.function().namespace(),
                "function", key.function().name(),
                "version", Integer.toString(key.version()));
        return new Lane(key, version, load, autoscaler, new LaneMeters(meters, tags), mostHeld);
    }

    private FunctionRoute route(FunctionRecord record, Map<Integer, Lane> queues) {
        return new FunctionRoute(record, new Split(autoscaler.traffic(record)), queues);
    }

    private static void close(Lane queue) {
        queue.close(new Trouble(
                Trouble.Kind.Gone,
                "Request for unknown model: %s was deleted".formatted(queue.key),
                Duration.ofSeconds(1)));
        queue.meters.remove();
    }

    private void replicaChanged(Replica replica) {
        VersionKey key = VersionKey.of(replica);
        if (replica.state() == Replica.State.READY) {
            lane(key).ifPresent(queue -> queue.meters.started(replica.phases()));
            refresh(key.function());
        }
        lane(key).ifPresent(queue -> queue.changed(replica));
    }

    /** Routes traffic to a version that has just become ready, if no split is set. */
    private synchronized void refresh(FunctionId id) {
        FunctionRoute route = routes.get(id);
        if (route != null && route.record().traffic().isEmpty()) {
            routes.put(id, route(route.record(), route.lanes()));
        }
    }
}
