package io.knabla.controller.training;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.platform.ClusterView;
import io.knabla.storage.ObjectStore;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Starts the training state cleaner with the controller. */
@ApplicationScoped
class TrainingBeans {
    void start(@Observes StartupEvent event, ObjectStore store, Catalog catalog, ClusterView cluster) {
        new TrainingStateCleaner(store, catalog).start(cluster);
    }
}
