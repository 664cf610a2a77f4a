package io.knabla.controller.gc;

import io.knabla.storage.ObjectKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Leases that running deploys hold: no collection deletes objects that a deploy is about to use. One document per
 * deploy, {@code pins/<id>.json}. Safe for use by many threads and controllers.
 */
public final class DeployLeases {
    static final String PREFIX = "pins/";
    private static final Duration RETRY = Duration.ofSeconds(10);

    private final Leases leases;

    DeployLeases(Leases leases) {
        this.leases = leases;
    }

    /** Result of taking a lease. */
    public sealed interface LeaseResult {
        /** No collection runs until this is closed. */
        final class DeployLease implements LeaseResult, AutoCloseable {
            private final Lease lease;

            private DeployLease(Lease lease) {
                this.lease = lease;
            }

            /**
             * Renews the lease, which proves that nothing was collected since it was taken. Must be called right before
             * a write that others will rely on.
             *
             * @throws LeaseLostException if the lease was lost; the work must start over
             */
            public void confirm() {
                lease.confirm();
            }

            @Override
            public void close() {
                lease.remove();
            }
        }

        /** A collection took too long. */
        record Refused(String sentence, Duration retryAfter) implements LeaseResult {}
    }

    /**
     * Takes a lease; waits while a collection runs. Must be called before the first lookup of existing objects.
     *
     * @param what the operation, for people, such as {@code the deploy of default/digits}
     */
    public LeaseResult acquire(String what) {
        ElapsedClock.Moment began = leases.elapsedClock().now();
        while (true) {
            Optional<Lease> lease = leases.create(key(), what);
            Optional<Leases.Holder> collection = lease.flatMap(this::collection);
            if (lease.isPresent() && collection.isEmpty()) {
                return new LeaseResult.DeployLease(lease.get());
            }
            // A collection waits for deploy leases: a waiting deploy must not hold one.
            lease.ifPresent(Lease::remove);
            Duration left =
                    leases.times().deployPatience().minus(leases.elapsedClock().since(began));
            var last = new AtomicReference<>(collection);
            if (collection.isPresent() && !leases.await(left, () -> collectionEnded(last))) {
                return new LeaseResult.Refused(
                        "%s takes long, and %s must wait until it ends; try again in a moment"
                                .formatted(last.get().orElseThrow().who(), what),
                        RETRY);
            }
        }
    }

    private boolean collectionEnded(AtomicReference<Optional<Leases.Holder>> last) {
        Optional<Leases.Holder> now = leases.holder(CollectionLock.KEY);
        now.ifPresent(_ -> last.set(now));
        return now.isEmpty();
    }

    /** Removes the lease if the store fails: a collection would wait for it in vain. */
    private Optional<Leases.Holder> collection(Lease lease) {
        try {
            return leases.holder(CollectionLock.KEY);
        } catch (RuntimeException outage) {
            lease.remove();
            throw outage;
        }
    }

    private ObjectKey key() {
        return new ObjectKey(PREFIX + leases.ids().next() + leases.ids().next() + ".json");
    }
}
