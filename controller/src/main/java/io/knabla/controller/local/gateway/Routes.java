package io.knabla.controller.local.gateway;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.controller.scale.Unavailable;
import io.knabla.controller.scale.VersionLoad;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Routing table of functions and their versions, updated by events of catalog and cluster. Reads never block; changes
 * are made one at a time.
 */
final class Routes {
    private final Catalog catalog;
    private final Cluster cluster;
    private final Autoscaler autoscaler;
    private final MeterRegistry meters;
    private final int maxQueued;
    private final Map<FunctionId, FunctionRoute> routes = new ConcurrentHashMap<>();

    /** Sentences about the functions whose documents cannot be used. */
    private final Map<FunctionId, String> damages = new ConcurrentHashMap<>();

    /** Functions by namespace and served name, for those that have one. */
    private final Map<FunctionId, FunctionId> served = new ConcurrentHashMap<>();

    private record Tagged(FunctionId function, String tag) {}

    /** Tags of all functions, by namespace and {@code TAG-NAME}, as Knative names a tag's URL. */
    private final Map<FunctionId, Tagged> tagged = new ConcurrentHashMap<>();

    Routes(Catalog catalog, Cluster cluster, Autoscaler autoscaler, MeterRegistry meters, int maxQueued) {
        this.catalog = catalog;
        this.cluster = cluster;
        this.autoscaler = autoscaler;
        this.meters = meters;
        this.maxQueued = maxQueued;
    }

    /** Must be called after the autoscaler has started: only versions that it knows are routed to. */
    void start() {
        autoscaler.countInFlight(this::inFlight);
        autoscaler.onUnavailable((key, trouble) -> queue(key).ifPresent(queue -> queue.fail(trouble)));
        cluster.onChange(this::replicaChanged);
        catalog.onChange(new Catalog.Listener() {
            @Override
            public void changed(FunctionId id, Optional<FunctionRecord> now) {
                functionChanged(id);
            }

            @Override
            public void damaged(FunctionId id, CatalogException why) {
                functionDamaged(id, why);
            }
        });
        catalog.list().forEach(record -> functionChanged(record.id()));
        catalog.troubles().forEach(trouble -> functionDamaged(trouble.function(), trouble));
    }

    /** Ends the idle connections to replicas. */
    void close() {
        routes.values().forEach(route -> route.queues().values().forEach(VersionQueue::closeConnections));
    }

    Optional<FunctionRoute> find(FunctionId id) {
        return Optional.ofNullable(routes.get(id));
    }

    /**
     * A function, and the version that a tag names.
     *
     * @param version empty to choose one by the traffic split
     */
    record Addressed(FunctionRoute route, OptionalInt version) {}

    /**
     * @param id a function's id, or its namespace and one of its other names: the one under which its model is served,
     *     or {@code TAG-NAME}. A function's own name wins.
     */
    Optional<Addressed> findNamed(FunctionId id) {
        return find(id).or(() -> Optional.ofNullable(served.get(id)).flatMap(this::find))
                .map(route -> new Addressed(route, OptionalInt.empty()))
                .or(() -> Optional.ofNullable(tagged.get(id)).flatMap(this::find));
    }

    /** Why a function cannot be found under one of its names: its document in the catalog cannot be used. */
    Optional<String> damage(FunctionId id) {
        return Optional.ofNullable(damages.get(id))
                .or(() -> Optional.ofNullable(served.get(id)).map(damages::get))
                .or(() -> Optional.ofNullable(tagged.get(id)).map(target -> damages.get(target.function)));
    }

    private Optional<Addressed> find(Tagged tagged) {
        return find(tagged.function)
                .flatMap(route -> Optional.ofNullable(route.tags().get(tagged.tag))
                        .map(version -> new Addressed(route, OptionalInt.of(version))));
    }

    Collection<FunctionRoute> all() {
        return routes.values();
    }

    private Optional<VersionQueue> queue(VersionKey key) {
        return find(key.function()).flatMap(route -> route.queue(key.version()));
    }

    private int inFlight(String replica) {
        return routes.values().stream()
                .flatMap(route -> route.queues().values().stream())
                .mapToInt(queue -> queue.inFlight(replica))
                .sum();
    }

    /** Reads the record again: of two concurrent changes, the event that arrives last may carry the older one. */
    private synchronized void functionChanged(FunctionId id) {
        Optional<FunctionRecord> now = catalog.find(id);
        damages.remove(id);
        FunctionRoute old = routes.get(id);
        Map<Integer, VersionQueue> queues =
                now.map(record -> queues(record, old)).orElse(Map.of());
        now.ifPresentOrElse(record -> routes.put(id, route(record, queues)), () -> routes.remove(id));
        served.values().removeIf(id::equals);
        find(id).flatMap(FunctionRoute::servedName)
                .ifPresent(name -> served.put(new FunctionId(id.namespace(), name), id));
        tagged.values().removeIf(target -> target.function.equals(id));
        find(id).ifPresent(route ->
                route.tags().keySet().forEach(tag -> tagged.put(id.tagged(tag), new Tagged(id, tag))));
        // After the route is replaced: a rejected client that retries must not find the old one.
        if (old != null) {
            old.queues().values().stream()
                    .filter(queue -> queues.get(queue.key.version()) != queue)
                    .forEach(Routes::close);
        }
        queues.values().stream()
                .filter(queue -> old == null || old.queues().get(queue.key.version()) != queue)
                .forEach(queue -> queue.addRunning(cluster));
    }

    /** Its other names stay, so that callers learn why; its replicas stay, because it is not deleted. */
    private synchronized void functionDamaged(FunctionId id, CatalogException why) {
        damages.put(id, why.getMessage());
        FunctionRoute old = routes.remove(id);
        if (old != null) {
            var unavailable = new Unavailable(Unavailable.Kind.CatalogDamaged, why.getMessage(), Duration.ofSeconds(1));
            old.queues().values().forEach(queue -> close(queue, unavailable));
        }
    }

    private Map<Integer, VersionQueue> queues(FunctionRecord record, FunctionRoute old) {
        Map<Integer, VersionQueue> queues = new HashMap<>();
        for (Version version : record.versions()) {
            VersionKey key = new VersionKey(record.id(), version.number());
            Optional<VersionQueue> kept = Optional.ofNullable(old)
                    .flatMap(route -> route.queue(version.number()))
                    .filter(queue -> queue.version.created().equals(version.created()));
            Optional<VersionLoad> load = autoscaler.load(key);
            kept.or(() -> load.map(counted -> open(key, version, counted)))
                    .ifPresent(queue -> queues.put(version.number(), queue));
        }
        return queues;
    }

    private VersionQueue open(VersionKey key, Version version, VersionLoad load) {
        Tags tags = Tags.of(
                "namespace", key.function().namespace(),
                "function", key.function().name(),
                "version", Integer.toString(key.version()));
        return new VersionQueue(key, version, load, autoscaler, new VersionMeters(meters, tags), maxQueued);
    }

    private FunctionRoute route(FunctionRecord record, Map<Integer, VersionQueue> queues) {
        return FunctionRoute.of(record, autoscaler.traffic(record), queues);
    }

    private static void close(VersionQueue queue) {
        close(
                queue,
                new Unavailable(
                        Unavailable.Kind.Gone,
                        "Request for unknown model: %s was deleted".formatted(queue.key),
                        Duration.ofSeconds(1)));
    }

    private static void close(VersionQueue queue, Unavailable why) {
        queue.close(why);
        queue.meters.remove();
    }

    private void replicaChanged(Replica replica) {
        VersionKey key = VersionKey.of(replica);
        if (replica.state() == Replica.State.READY) {
            refresh(key.function());
        }
        queue(key).ifPresent(queue -> queue.changed(replica));
    }

    /** Routes traffic to a version that has just become ready, if a part of it follows the newest. */
    private synchronized void refresh(FunctionId id) {
        FunctionRoute route = routes.get(id);
        if (route != null && route.record().followsLatest()) {
            routes.put(id, route(route.record(), route.queues()));
        }
    }
}
