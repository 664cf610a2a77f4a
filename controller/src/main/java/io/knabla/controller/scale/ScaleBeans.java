package io.knabla.controller.scale;

import io.knabla.controller.Home;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.cluster.Cluster;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.concurrent.Executors;

/** Makes the autoscaler of this controller; the gateway starts it. */
@ApplicationScoped
class ScaleBeans {
    @Produces
    @Singleton
    Autoscaler autoscaler(Cluster cluster, Catalog catalog, Home home, Clock clock) {
        return new Autoscaler(
                cluster,
                catalog,
                new Proofs(home.run().resolve("proven")),
                clock,
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("knabla-autoscaler").factory()));
    }

    void close(@Disposes Autoscaler autoscaler) {
        autoscaler.close();
    }
}
