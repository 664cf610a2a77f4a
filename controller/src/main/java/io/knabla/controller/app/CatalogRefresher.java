package io.knabla.controller.app;

import io.knabla.controller.catalog.StoreCatalog;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.config.Settings;
import io.knabla.controller.home.StoreAccess;
import io.knabla.storage.StorageException;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Loads the catalog at the start, then refreshes it periodically. */
@Singleton
final class CatalogRefresher implements Lifecycle {
    private static final System.Logger LOG = System.getLogger(CatalogRefresher.class.getName());

    /** Listing local files is almost free; listing S3 is a billed request. */
    private static final Duration NEAR = Duration.ofSeconds(1);

    private static final Duration FAR = Duration.ofSeconds(5);

    private final StoreCatalog catalog;
    private final Settings settings;
    private final StoreAccess access;
    private final PeriodicTask task = new PeriodicTask("knabla-catalog-refresh", "refresh the catalog", this::refresh);

    private String outage = "";

    CatalogRefresher(StoreCatalog catalog, Settings settings, StoreAccess access) {
        this.catalog = catalog;
        this.settings = settings;
        this.access = access;
    }

    @Override
    public void start() {
        switch (settings.cluster().kind()) {
            case Local -> catalog.refresh();
            // On a cluster the store may be starting at the same time, or be unavailable for a while.
            case Knative -> refresh();
        }
        Duration pause = settings.catalog().refresh().orElse(access.isRemote() ? FAR : NEAR);
        task.start(pause, pause);
    }

    private void refresh() {
        try {
            catalog.refresh();
            report("");
        } catch (StorageException outage) {
            report(outage.getMessage());
        }
    }

    /**
     * Logs an outage when it begins, changes or ends, not at every attempt. The cache keeps the state of the last
     * successful refresh.
     *
     * @param now empty if there is no outage
     */
    private void report(String now) {
        if (now.equals(outage)) {
            return;
        }
        outage = now;
        if (now.isEmpty()) {
            LOG.log(System.Logger.Level.INFO, "the catalog is refreshed again");
        } else {
            LOG.log(System.Logger.Level.WARNING, "cannot refresh the catalog: {0}", now);
        }
    }

    @Override
    public void close() {
        task.close();
    }
}
