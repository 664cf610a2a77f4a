package io.knabla.controller.gc;

import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Exclusive lock of a running collection: one lease document for all controllers. */
final class Flag implements AutoCloseable {
    static final ObjectKey KEY = new ObjectKey("gc/running.json");

    /** Result of acquiring the lock. */
    sealed interface Raised {
        /** No deploy runs, and none starts until the lock is closed. */
        record Up(Flag flag) implements Raised {}

        /** Another collection runs. */
        record Taken(String sentence) implements Raised {}

        /** Running deploys did not end in time. */
        record Busy(String sentence) implements Raised {}
    }

    private final Lease lease;

    private Flag(Lease lease) {
        this.lease = lease;
    }

    static Raised raise(Leases leases, String what) {
        Optional<Lease> claimed = leases.claim(KEY, what);
        if (claimed.isEmpty()) {
            return new Raised.Taken("%s is under way already; wait for its end"
                    .formatted(leases.alive(KEY).map(Leases.Alive::who).orElse("another collection")));
        }
        var lock = new Flag(claimed.get());
        try {
            if (leases.await(
                    leases.times().collectorPatience(), () -> lock.pins(leases).isEmpty())) {
                return new Raised.Up(lock);
            }
            List<String> left = lock.pins(leases);
            lock.close();
            return new Raised.Busy(
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
    private List<String> pins(Leases leases) {
        lease.confirmNowAndThen();
        List<ObjectKey> keys;
        try (Stream<ObjectInfo> pins = leases.store().list(Pins.PREFIX)) {
            keys = pins.map(ObjectInfo::key).toList();
        }
        return keys.stream()
                .flatMap(key -> leases.alive(key).stream())
                .map(Leases.Alive::who)
                .toList();
    }

    /** Throws {@link LeaseLostException} if the lock is no longer held. */
    void check() {
        lease.check();
    }

    /** Like {@link #check}, and renews the lease in the store from time to time. */
    void confirm() {
        lease.confirmNowAndThen();
    }

    @Override
    public void close() {
        lease.end();
    }
}
