package io.knabla.controller.knative.placement;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.cost.record.UsageSource;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.scale.fleet.SpotRisks;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Produces the beans of {@code placement.policy} on a cluster; on a laptop none of them is created. */
@ApplicationScoped
class PlacementBeans {
    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static PolicySplits.Sources sources(
            Catalog catalog,
            @ForPlatform(ClusterKind.Knative) KnativeView view,
            UsageSource usage,
            NodePrices prices,
            SpotRisks risks) {
        return new PolicySplits.Sources(
                catalog,
                view,
                () -> usage.hasSynced() ? Optional.of(usage.replicas()) : Optional.empty(),
                prices,
                risks);
    }

    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static PolicySplits splits(
            @ForPlatform(ClusterKind.Knative) PolicySplits.Sources sources,
            PlacementReasons reasons,
            Clock clock,
            Settings settings) {
        return new PolicySplits(
                sources,
                reasons,
                RandomGenerator.getDefault(),
                clock,
                settings.spot().act());
    }
}
