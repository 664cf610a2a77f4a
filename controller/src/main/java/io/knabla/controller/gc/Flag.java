package io.knabla.controller.gc;

import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a collection says while it is under way: one document for all controllers. */
final class Flag implements AutoCloseable {
    static final ObjectKey KEY = new ObjectKey("gc/running.json");

    /** Whether a collection may begin. */
    sealed interface Raised {
        /** No deploy is under way, and none begins until it is closed. */
        record Up(Flag flag) implements Raised {}

        /** Another collection is under way. */
        record Taken(String sentence) implements Raised {}

        /** Deploys took too long. */
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
        var flag = new Flag(claimed.get());
        try {
            if (leases.await(
                    leases.times().collectorPatience(), () -> flag.pins(leases).isEmpty())) {
                return new Raised.Up(flag);
            }
            List<String> left = flag.pins(leases);
            flag.close();
            return new Raised.Busy(
                    "%d of the deploys under way did not end within %d s (%s); nothing was collected, try again later"
                            .formatted(
                                    left.size(),
                                    leases.times().collectorPatience().toSeconds(),
                                    left.isEmpty() ? "they did just now" : left.getFirst()));
        } catch (RuntimeException failed) {
            flag.close();
            throw failed;
        }
    }

    /** Who holds a pin; each that is over is ended for good. */
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

    /** Throws where the flag is not up any more. */
    void check() {
        lease.check();
    }

    /** The same, and asks the store now and then. */
    void confirm() {
        lease.confirmNowAndThen();
    }

    @Override
    public void close() {
        lease.end();
    }
}
