package io.knabla.controller.app;

import io.knabla.controller.catalog.StoreCatalog;
import io.knabla.controller.config.Settings;
import io.knabla.controller.home.StoreAccess;
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

/** Produces the catalog of this controller and refreshes it periodically. */
@ApplicationScoped
class CatalogBeans {
    private static final System.Logger LOG = System.getLogger(CatalogBeans.class.getName());
    private static final int FIRST = 100;

    /** Listing local files is almost free; listing S3 is a billed request. */
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

    /** Loads the catalog before any other bean reads it. */
    void start(
            @Observes @Priority(FIRST) StartupEvent event,
            StoreCatalog catalog,
            Settings settings,
            StoreAccess access) {
        switch (settings.cluster().kind()) {
            case Local -> catalog.refresh();
            // On a cluster the store may be starting at the same time, or be unavailable for a while.
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
            // The cache keeps the state of the last successful refresh; the next one may succeed.
            LOG.log(System.Logger.Level.WARNING, "cannot refresh the catalog", outage);
        }
    }
}
