package io.knabla.controller.gc;

import io.knabla.controller.config.Ids;
import io.knabla.storage.ObjectStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/** Creates collectors and deploy leases with durations short enough for tests. */
public final class GcFixtures {
    /** Long timeouts, short poll intervals. */
    static final LeaseTimes QUICK = new LeaseTimes(
            Duration.ofMinutes(4),
            Duration.ofMinutes(1),
            Duration.ofSeconds(15),
            Duration.ofMillis(5),
            Duration.ofMinutes(2),
            Duration.ofMinutes(1));

    /** Gives up at once. */
    static final LeaseTimes IMPATIENT =
            new LeaseTimes(QUICK.life(), QUICK.trust(), QUICK.renewal(), QUICK.poll(), Duration.ZERO, Duration.ZERO);

    private GcFixtures() {}

    static Leases leases(ObjectStore store, LeaseTimes times, InstantSource wall) {
        Ids ids = () -> Long.toString(ThreadLocalRandom.current().nextLong(1L << 60), 36);
        return new Leases(store, ids, ElapsedClock.of(wall), times);
    }

    static Leases leases(ObjectStore store, LeaseTimes times) {
        return leases(store, times, InstantSource.system());
    }

    public static DeployLeases pins(ObjectStore store) {
        return pins(store, InstantSource.system());
    }

    public static DeployLeases pins(ObjectStore store, InstantSource wall) {
        return new DeployLeases(leases(store, QUICK, wall));
    }

    static GarbageCollector collector(Leases leases) {
        return new GarbageCollector(leases, new Random(3));
    }
}
