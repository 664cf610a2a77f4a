package io.knabla.controller.training;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.StateKeys;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.cluster.Cluster;
import io.knabla.controller.cluster.Replica;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Deletes the trained weights of functions that are gone: with the function, once more when its last
 * replica has ended, which may still have written, and at the start, for what a crash left.
 */
public final class TrainingStates {
    private static final System.Logger LOG = System.getLogger(TrainingStates.class.getName());

    private final ObjectStore store;
    private final Catalog catalog;

    public TrainingStates(ObjectStore store, Catalog catalog) {
        this.store = store;
        this.catalog = catalog;
    }

    /** Sweeps, then follows what happens; the catalog must have been read. */
    public void start(Cluster cluster) {
        catalog.onChange((id, now) -> guarded(() -> sweep(id, now)));
        cluster.onChange(this::replicaChanged);
        guarded(this::sweep);
    }

    private void replicaChanged(Replica replica) {
        switch (replica.state()) {
            case STARTING, READY, DRAINING -> {}
            case STOPPED, FAILED -> {
                FunctionId id = replica.function();
                Optional<FunctionRecord> now = catalog.find(id);
                if (now.flatMap(record -> record.version(replica.version())).isEmpty()) {
                    guarded(() -> sweep(id, now));
                }
            }
        }
    }

    /** Takes away the states that no version of the function has. */
    private void sweep(FunctionId id, Optional<FunctionRecord> now) {
        remove(list(StateKeys.prefix(id)), keys(now.stream().toList()));
    }

    private void sweep() {
        List<ObjectKey> there =
                list(StateKeys.PREFIX).stream()
                        .filter(key -> StateKeys.function(key).isPresent())
                        .toList();
        remove(there, keys(catalog.list()));
    }

    private List<ObjectKey> list(String prefix) {
        try (Stream<ObjectInfo> objects = store.list(prefix)) {
            return objects.map(ObjectInfo::key).toList();
        }
    }

    private static Set<ObjectKey> keys(List<FunctionRecord> records) {
        return records.stream()
                .flatMap(record -> record.versions().stream().map(v -> key(record, v)))
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
    }

    private static Optional<ObjectKey> key(FunctionRecord record, Version version) {
        return StateKeys.of(record.id(), version);
    }

    private void remove(List<ObjectKey> there, Set<ObjectKey> wanted) {
        there.stream().filter(key -> !wanted.contains(key)).forEach(store::delete);
    }

    /** What stays for now is found by the next sweep. */
    private static void guarded(Runnable sweep) {
        try {
            sweep.run();
        } catch (RuntimeException failed) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "cannot delete the state of a training step",
                    failed);
        }
    }
}
