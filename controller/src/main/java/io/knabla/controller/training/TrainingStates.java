package io.knabla.controller.training;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.StateKeys;
import io.knabla.controller.cluster.ClusterView;
import io.knabla.controller.cluster.Replica;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Deletes the trained weights of functions that are gone: with the function, once more when its last replica has ended,
 * which may still have written, and at the start, for what a crash left. Another controller may train at the same
 * moment, so a state is deleted only where a catalog document that was read after the state was seen lacks its version:
 * a version is written before its state, and one that is gone never comes back.
 */
public final class TrainingStates {
    private static final System.Logger LOG = System.getLogger(TrainingStates.class.getName());

    private final ObjectStore store;
    private final Catalog catalog;

    /** The states that each function's versions may have, as last told. */
    private final Map<FunctionId, Set<ObjectKey>> known = new ConcurrentHashMap<>();

    public TrainingStates(ObjectStore store, Catalog catalog) {
        this.store = store;
        this.catalog = catalog;
    }

    /** Sweeps, then follows what happens; the catalog must have been read. */
    public void start(ClusterView cluster) {
        catalog.onChange((id, now) -> guarded(() -> follow(id, now)));
        catalog.list().forEach(record -> known.putIfAbsent(record.id(), keys(record)));
        cluster.onChange(this::replicaChanged);
        guarded(() -> sweep(StateKeys.PREFIX));
    }

    /** Asks the store for nothing unless a version is gone. */
    private void follow(FunctionId id, Optional<FunctionRecord> now) {
        Set<ObjectKey> wanted = now.map(TrainingStates::keys).orElse(Set.of());
        Set<ObjectKey> before = wanted.isEmpty() ? known.remove(id) : known.put(id, wanted);
        if (before != null) {
            before.stream().filter(key -> !wanted.contains(key)).forEach(store::delete);
        }
    }

    private void replicaChanged(Replica replica) {
        switch (replica.state()) {
            case STARTING, READY, DRAINING -> {}
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
        Set<ObjectKey> wanted = catalog.look(id).map(TrainingStates::keys).orElse(Set.of());
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

    /** What stays for now is found by the next sweep. */
    private static void guarded(Runnable sweep) {
        try {
            sweep.run();
        } catch (RuntimeException failed) {
            LOG.log(System.Logger.Level.WARNING, "cannot delete the state of a training step", failed);
        }
    }
}
