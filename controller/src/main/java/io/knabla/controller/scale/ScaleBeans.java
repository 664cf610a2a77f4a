package io.knabla.controller.scale;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.home.Home;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.KeepWarm;
import io.knabla.controller.platform.LostGpus;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.scale.fleet.SpotRisks;
import io.knabla.storage.ObjectStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;

/** Produces the autoscaler of the local platform. */
@ApplicationScoped
class ScaleBeans {
    @Produces
    @Singleton
    ProvenUnits provenUnits(Home home) {
        return new ProvenUnits(home.run().resolve("proven"));
    }

    /** Of both platforms. */
    @Produces
    @Singleton
    SpotRisks spotRisks(ObjectStore store, Clock clock) {
        return new SpotRisks(store, clock);
    }

    @Produces
    @Singleton
    SpotCapacity spotCapacity(
            CapacitySignals signals,
            PlacementReasons reasons,
            NodePrices prices,
            Settings settings,
            RandomGenerator random,
            SpotRisks risks,
            LostGpus lost) {
        return new SpotCapacity(signals, reasons, prices, settings.spot().block(), random, risks, lost);
    }

    @Produces
    @Singleton
    Autoscaler autoscaler(
            @ForPlatform(ClusterKind.Local) Cluster cluster,
            Catalog catalog,
            ProvenUnits proven,
            SpotCapacity capacity,
            Clock clock,
            KeepWarm keepWarm) {
        var autoscaler = new Autoscaler(
                cluster,
                catalog,
                proven,
                capacity,
                clock,
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("knabla-autoscaler").factory()));
        autoscaler.keepWarm(keepWarm);
        keepWarm.onChange(id -> catalog.find(id).stream()
                .flatMap(record -> record.effectiveTraffic().stream())
                .forEach(target -> autoscaler.evaluateNow(new VersionKey(id, target.version()))));
        return autoscaler;
    }
}
