package io.knabla.controller.catalog;

import io.knabla.controller.Settings;
import io.knabla.controller.StoreAccess;
import io.knabla.storage.ObjectStore;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Keeps the one catalog of this controller fresh for as long as it runs. */
@ApplicationScoped
class CatalogBeans {
    private static final System.Logger LOG = System.getLogger(CatalogBeans.class.getName());
    private static final int FIRST = 100;

    /** A list of local files costs next to nothing; one in S3 is a request that is paid for. */
    private static final Duration NEAR = Duration.ofSeconds(1);

    private static final int ABSENCES = 1000;
    private static final Duration FAR = Duration.ofSeconds(5);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("knabla-catalog-refresh").factory());

    @Produces
    @Singleton
    StoreCatalog catalog(ObjectStore store, RandomGenerator random, StoreAccess access) {
        return new StoreCatalog(store, random, access.isRemote() ? ABSENCES : 0);
    }

    /** Before others look into the catalog: they shall find everything that was there. */
    void start(
            @Observes @Priority(FIRST) StartupEvent event,
            StoreCatalog catalog,
            Settings settings,
            StoreAccess access) {
        switch (settings.cluster().kind()) {
            case Local -> catalog.refresh();
            // There the store may start at the same moment, or be locked for a while.
            case Knative -> refresh(catalog);
        }
        long pause = settings.catalog()
                .refresh()
                .orElse(access.isRemote() ? FAR : NEAR)
                .toMillis();
        timer.scheduleWithFixedDelay(() -> refresh(catalog), pause, pause, TimeUnit.MILLISECONDS);
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
