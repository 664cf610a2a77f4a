package io.knabla.controller.gc;

import io.knabla.controller.config.Ids;
import io.knabla.controller.config.Settings;
import io.knabla.storage.ObjectStore;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.random.RandomGenerator;

/** Produces this controller's garbage collector and the leases of its deploys, and starts scheduled collection. */
@ApplicationScoped
class GcBeans {
    private CollectionScheduler daily;

    @Produces
    @Singleton
    Leases leases(ObjectStore store, Ids ids, Clock clock) {
        return new Leases(store, ids, ElapsedClock.of(clock), LeaseTimes.DEFAULT);
    }

    void close(@Disposes Leases leases) {
        leases.close();
    }

    @Produces
    @Singleton
    DeployLeases pins(Leases leases) {
        return new DeployLeases(leases);
    }

    @Produces
    @Singleton
    GarbageCollector collector(Leases leases, RandomGenerator random) {
        return new GarbageCollector(leases, random);
    }

    void start(@Observes StartupEvent event, GarbageCollector collector, RandomGenerator random, Settings settings) {
        if (settings.gc().automatic()) {
            daily = new CollectionScheduler(
                    collector, random, settings.gc().every(), settings.gc().grace());
            daily.start();
        }
    }

    void stop(@Observes ShutdownEvent event) {
        if (daily != null) {
            daily.close();
        }
    }
}
