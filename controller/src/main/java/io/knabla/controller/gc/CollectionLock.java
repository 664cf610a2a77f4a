package io.knabla.controller.gc;

import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Exclusive lock of a running collection: one lease document for all controllers. */
final class CollectionLock implements AutoCloseable {
    static final ObjectKey KEY = new ObjectKey("gc/running.json");

    /** Result of acquiring the lock. */
    sealed interface LockResult {
        /** No deploy runs, and none starts until the lock is closed. */
        record Acquired(CollectionLock lock) implements LockResult {}

        /** Another collection runs. */
        record AlreadyRunning(String sentence) implements LockResult {}

        /** Running deploys did not end in time. */
        record Busy(String sentence) implements LockResult {}
    }

    private final Lease lease;

    private CollectionLock(Lease lease) {
        this.lease = lease;
    }

    static LockResult acquire(Leases leases, String what) {
        Optional<Lease> claimed = leases.claim(KEY, what);
        if (claimed.isEmpty()) {
            return new LockResult.AlreadyRunning("%s is under way already; wait for its end"
                    .formatted(leases.holder(KEY).map(Leases.Holder::who).orElse("another collection")));
        }
        var lock = new CollectionLock(claimed.get());
        try {
            if (leases.await(
                    leases.times().collectorPatience(),
                    () -> lock.runningDeploys(leases).isEmpty())) {
                return new LockResult.Acquired(lock);
            }
            List<String> left = lock.runningDeploys(leases);
            lock.close();
            return new LockResult.Busy(
                    "%d of the deploys under way did not end within %d s (%s); nothing was collected, try again later"
                            .formatted(
                                    left.size(),
                                    leases.times().collectorPatience().toSeconds(),
                                    left.isEmpty() ? "they have just ended" : left.getFirst()));
        } catch (RuntimeException failed) {
            lock.close();
            throw failed;
        }
    }

    /** Descriptions of the running deploys; ends expired leases permanently. */
    private List<String> runningDeploys(Leases leases) {
        lease.confirmIfStale();
        List<ObjectKey> keys;
        try (Stream<ObjectInfo> pins = leases.store().list(DeployLeases.PREFIX)) {
            keys = pins.map(ObjectInfo::key).toList();
        }
        return keys.stream()
                .flatMap(key -> leases.holder(key).stream())
                .map(Leases.Holder::who)
                .toList();
    }

    /** Throws {@link LeaseLostException} if the lock is no longer held. */
    void check() {
        lease.check();
    }

    /** Like {@link #check}, and renews the lease in the store from time to time. */
    void confirm() {
        lease.confirmIfStale();
    }

    @Override
    public void close() {
        lease.end();
    }
}
