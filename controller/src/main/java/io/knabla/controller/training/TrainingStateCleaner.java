package io.knabla.controller.training;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.StateKeys;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.Replica;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Deletes the trained weights of deleted versions: with the version, when a replica of it has ended, and at the start.
 * The replica may have written once more after the deletion, and a crash may leave states behind. Another controller
 * may be training at the same time, so a state is deleted only if a catalog document read after listing the state lacks
 * its version: a version is written before its state, and a deleted one never comes back.
 */
@Singleton
public final class TrainingStateCleaner implements Lifecycle {
    private static final System.Logger LOG = System.getLogger(TrainingStateCleaner.class.getName());

    private final ObjectStore store;
    private final Catalog catalog;
    private final ClusterView cluster;

    /** State keys of each function's versions, as of the last catalog change. */
    private final Map<FunctionId, Set<ObjectKey>> known = new ConcurrentHashMap<>();

    public TrainingStateCleaner(ObjectStore store, Catalog catalog, ClusterView cluster) {
        this.store = store;
        this.catalog = catalog;
        this.cluster = cluster;
    }

    /** Sweeps once, then reacts to catalog and replica changes; the catalog must be loaded. */
    @Override
    public void start() {
        catalog.onChange((id, now) -> guarded(() -> follow(id, now)));
        catalog.list().forEach(record -> known.putIfAbsent(record.id(), keys(record)));
        cluster.onChange(this::replicaChanged);
        guarded(() -> sweep(StateKeys.PREFIX));
    }

    /** Calls the store only if a version was deleted. */
    private void follow(FunctionId id, Optional<FunctionRecord> now) {
        Set<ObjectKey> wanted = now.map(TrainingStateCleaner::keys).orElse(Set.of());
        Set<ObjectKey> before = wanted.isEmpty() ? known.remove(id) : known.put(id, wanted);
        if (before != null) {
            before.stream().filter(key -> !wanted.contains(key)).forEach(store::delete);
        }
    }

    private void replicaChanged(Replica replica) {
        switch (replica.state()) {
            case STARTING, READY, UNRESPONSIVE, DRAINING -> {}
            case STOPPED, FAILED -> {
                FunctionId id = replica.function();
                guarded(() -> {
                    if (catalog.find(id)
                            .flatMap(record -> record.version(replica.version()))
                            .isEmpty()) {
                        sweep(StateKeys.prefix(id));
                    }
                });
            }
        }
    }

    private void sweep(String prefix) {
        Map<FunctionId, List<ObjectKey>> there = list(prefix).stream()
                .filter(key -> StateKeys.function(key).isPresent())
                .collect(Collectors.groupingBy(key -> StateKeys.function(key).orElseThrow()));
        there.forEach((id, states) -> guarded(() -> sweep(id, states)));
    }

    private void sweep(FunctionId id, List<ObjectKey> states) {
        Set<ObjectKey> trusted = known.getOrDefault(id, Set.of());
        if (trusted.containsAll(states)) {
            return;
        }
        Set<ObjectKey> wanted =
                catalog.readFromStore(id).map(TrainingStateCleaner::keys).orElse(Set.of());
        states.stream().filter(key -> !wanted.contains(key)).forEach(store::delete);
    }

    private List<ObjectKey> list(String prefix) {
        try (Stream<ObjectInfo> objects = store.list(prefix)) {
            return objects.map(ObjectInfo::key).toList();
        }
    }

    private static Set<ObjectKey> keys(FunctionRecord record) {
        return record.versions().stream()
                .map(version -> StateKeys.of(record.id(), version))
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
    }

    /** Logs failures only: the next sweep deletes what is left. */
    private static void guarded(Runnable sweep) {
        try {
            sweep.run();
        } catch (RuntimeException failed) {
            LOG.log(System.Logger.Level.WARNING, "cannot delete the state of a training step", failed);
        }
    }
}
