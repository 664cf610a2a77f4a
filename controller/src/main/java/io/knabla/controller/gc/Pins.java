package io.knabla.controller.gc;

import io.knabla.storage.ObjectKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What deploys say while they are under way, so that nothing is collected that they are about to use: one document
 * each, {@code pins/<id>.json}. Safe for use by many threads and controllers.
 */
public final class Pins {
    static final String PREFIX = "pins/";
    private static final Duration RETRY = Duration.ofSeconds(10);

    private final Leases leases;

    Pins(Leases leases) {
        this.leases = leases;
    }

    /** Whether a deploy may begin. */
    public sealed interface Taken {
        /** Until this is closed nothing is collected. */
        final class Pin implements Taken, AutoCloseable {
            private final Lease lease;

            private Pin(Lease lease) {
                this.lease = lease;
            }

            /**
             * Proves that nothing was collected since this was taken, and holds for a while from now: to be asked right
             * before something is recorded that others will rely on.
             *
             * @throws LeaseLostException where that cannot be said; the work must begin anew
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
        record Refused(String sentence, Duration retryAfter) implements Taken {}
    }

    /**
     * Waits while a collection is under way. To be taken before the first look at what may be there.
     *
     * @param what is under way, for people, such as {@code the deploy of default/digits}
     */
    public Taken take(String what) {
        Ticker.Moment began = leases.ticker().now();
        while (true) {
            Optional<Lease> pin = leases.first(key(), what);
            Optional<Leases.Alive> collection = pin.flatMap(this::collection);
            if (pin.isPresent() && collection.isEmpty()) {
                return new Taken.Pin(pin.get());
            }
            // A collection waits for pins: one that waits in turn must not hold any.
            pin.ifPresent(Lease::remove);
            Duration left =
                    leases.times().deployPatience().minus(leases.ticker().since(began));
            var last = new AtomicReference<>(collection);
            if (collection.isPresent() && !leases.await(left, () -> gone(last))) {
                return new Taken.Refused(
                        "%s goes on for long, and %s must wait for its end; try again in a moment"
                                .formatted(last.get().orElseThrow().who(), what),
                        RETRY);
            }
        }
    }

    private boolean gone(AtomicReference<Optional<Leases.Alive>> last) {
        Optional<Leases.Alive> now = leases.alive(Flag.KEY);
        now.ifPresent(_ -> last.set(now));
        return now.isEmpty();
    }

    /** Also where the store fails the pin must not stay: a collection would wait for nothing. */
    private Optional<Leases.Alive> collection(Lease pin) {
        try {
            return leases.alive(Flag.KEY);
        } catch (RuntimeException outage) {
            pin.remove();
            throw outage;
        }
    }

    private ObjectKey key() {
        return new ObjectKey(PREFIX + leases.ids().next() + leases.ids().next() + ".json");
    }
}
