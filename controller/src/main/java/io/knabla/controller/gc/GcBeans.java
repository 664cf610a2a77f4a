package io.knabla.controller.gc;

import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Ids;
import io.knabla.controller.config.Settings;
import io.knabla.controller.platform.CollectableFiles;
import io.knabla.storage.ObjectStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.random.RandomGenerator;

/** Produces this controller's garbage collector, its schedule, and the leases of its deploys. */
@ApplicationScoped
class GcBeans {
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
    DeployLeases deployLeases(Leases leases) {
        return new DeployLeases(leases);
    }

    @Produces
    @Singleton
    GarbageCollector collector(Leases leases, RandomGenerator random) {
        return new GarbageCollector(leases, random);
    }

    /** A cluster has no bean of such files. */
    @Produces
    @Singleton
    LocalFileCollector machineGarbage(@Any Instance<CollectableFiles> files, Settings settings) {
        var kind = new ForPlatform.Literal(settings.cluster().kind());
        return new LocalFileCollector(files.select(kind).stream().toList());
    }

    @Produces
    @Singleton
    CollectionScheduler scheduler(
            GarbageCollector collector, LocalFileCollector machine, RandomGenerator random, Settings settings) {
        var gc = settings.gc();
        return new CollectionScheduler(collector, machine, random, gc.automatic(), gc.every(), gc.grace());
    }
}
