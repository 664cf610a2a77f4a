package io.knabla.runtime.pool;

import io.knabla.functions.unit.UnitAssignment;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.StoredObject;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** What the controller has stored for the functions that may sleep here; read again after a while. */
final class Assignments {
    /** A new version is deployed by pods of its own, so that an old answer is right for as long. */
    private static final long FRESH_NANOS = 2_000_000_000L;

    private final ObjectStore store;
    private final String namespace;
    private final LongSupplier clock;
    private final Map<String, Read> known = new ConcurrentHashMap<>();

    private record Read(UnitAssignment assignment, long at) {}

    /** @param clock nanoseconds */
    Assignments(ObjectStore store, String namespace, LongSupplier clock) {
        this.store = store;
        this.namespace = namespace;
        this.clock = clock;
    }

    /** Empty if the function must not sleep here. If the store fails, the last answer holds. */
    Optional<UnitAssignment> of(String function) {
        Read last = known.get(function);
        long now = clock.getAsLong();
        if (last != null && now - last.at < FRESH_NANOS) {
            return Optional.of(last.assignment);
        }
        try {
            Optional<UnitAssignment> read = store.read(UnitAssignment.key(namespace, function))
                    .map(StoredObject::bytes)
                    .map(UnitAssignment::of);
            read.ifPresentOrElse(it -> known.put(function, new Read(it, now)), () -> known.remove(function));
            return read;
        } catch (StorageException outage) {
            if (last == null) {
                throw outage;
            }
            return Optional.of(last.assignment);
        }
    }
}
