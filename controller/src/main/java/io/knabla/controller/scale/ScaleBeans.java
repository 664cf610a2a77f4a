package io.knabla.controller.scale;

import static io.knabla.controller.platform.Replica.State.DRAINING;
import static io.knabla.controller.platform.Replica.State.READY;
import static io.knabla.controller.platform.Replica.State.STARTING;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.home.Home;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.Replica;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;

/** Produces this controller's autoscaler, which the gateway starts, and registers the replica gauges. */
@ApplicationScoped
class ScaleBeans {
    @Produces
    @Singleton
    Autoscaler autoscaler(@ForPlatform(ClusterKind.Local) Cluster cluster, Catalog catalog, Home home, Clock clock) {
        return new Autoscaler(
                cluster,
                catalog,
                new ProvenUnits(home.run().resolve("proven")),
                clock,
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("knabla-autoscaler").factory()));
    }

    /** Labelled by state only: the number of series must not grow with the number of functions. */
    void measure(@Observes StartupEvent event, ClusterView cluster, MeterRegistry meters) {
        for (Replica.State state : List.of(STARTING, READY, DRAINING)) {
            Gauge.builder("knabla.replicas", cluster, it -> count(it, state))
                    .description("Replicas by state")
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .register(meters);
        }
    }

    private static double count(ClusterView cluster, Replica.State state) {
        return cluster.replicas().stream()
                .filter(replica -> replica.state() == state)
                .count();
    }

    void close(@Disposes Autoscaler autoscaler) {
        autoscaler.close();
    }
}
