package io.knabla.controller.catalog;

import io.knabla.storage.ObjectStore;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Keeps the one catalog of this controller fresh for as long as it runs. */
@ApplicationScoped
class CatalogBeans {
    private static final System.Logger LOG = System.getLogger(CatalogBeans.class.getName());
    private static final int FIRST = 100;

    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("knabla-catalog-refresh").factory());

    @Produces
    @Singleton
    StoreCatalog catalog(ObjectStore store, RandomGenerator random) {
        return new StoreCatalog(store, random);
    }

    /** Before others look into the catalog: they shall find everything that was there. */
    void start(@Observes @Priority(FIRST) StartupEvent event, StoreCatalog catalog) {
        catalog.refresh();
        timer.scheduleWithFixedDelay(() -> refresh(catalog), 1, 1, TimeUnit.SECONDS);
    }

    void stop(@Observes ShutdownEvent event) {
        timer.shutdownNow();
    }

    private static void refresh(StoreCatalog catalog) {
        try {
            catalog.refresh();
        } catch (RuntimeException outage) {
            // The next round may work; answers stay as old as the last good one.
            LOG.log(System.Logger.Level.WARNING, "cannot refresh the catalog", outage);
        }
    }
}
