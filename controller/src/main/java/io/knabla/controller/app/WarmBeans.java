package io.knabla.controller.app;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.Settings;
import io.knabla.controller.cost.query.CurrentPrices;
import io.knabla.controller.cost.record.UsageSource;
import io.knabla.controller.platform.KeepWarm;
import io.knabla.controller.warm.act.WarmKeeper;
import io.knabla.controller.warm.act.WarmKeeper.Options;
import io.knabla.controller.warm.live.KeepWarmTiming;
import io.knabla.storage.ObjectStore;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;

/** Produces what keeps replicas warm, on both platforms. */
@ApplicationScoped
class WarmBeans {
    @Produces
    @Singleton
    @Typed({WarmKeeper.class, KeepWarm.class, Lifecycle.class})
    WarmKeeper keeper(
            Catalog catalog,
            UsageSource usage,
            CurrentPrices prices,
            ObjectStore store,
            Settings settings,
            MeterRegistry meters,
            Clock clock) {
        return new WarmKeeper(
                catalog,
                new PricedUsage(usage, prices, clock),
                store,
                meters,
                options(settings),
                clock,
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("knabla-warm").factory()));
    }

    private static Options options(Settings settings) {
        OptionalDouble memory = settings.warm().memory().stream()
                .mapToDouble(size -> size.bytes() / 1e9)
                .findFirst();
        return switch (settings.cluster().kind()) {
            case Local -> new Options(false, KeepWarmTiming.LAPTOP, memory);
            case Knative -> new Options(true, KeepWarmTiming.CLUSTER, memory);
        };
    }
}
