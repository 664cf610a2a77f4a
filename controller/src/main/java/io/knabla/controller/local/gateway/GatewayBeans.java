package io.knabla.controller.local.gateway;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.config.Settings.MemorySize;
import io.knabla.controller.front.FunctionHandler;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.functions.unit.UnitStore;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.storage.ObjectStore;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Clock;
import java.util.random.RandomGenerator;

/** Produces the gateway, and what handles requests to functions on each platform. */
@ApplicationScoped
class GatewayBeans {
    @Produces
    @Singleton
    @Typed({Gateway.class, Lifecycle.class})
    static Gateway gateway(Settings settings, Gateway.Parts parts) {
        return new Gateway(
                parts,
                GatewaySettings.DEFAULT
                        .withMaxBody(settings.maxBody().map(MemorySize::bytes).orElse(Long.MAX_VALUE))
                        .withSharedMemory(settings.sharedMemory()));
    }

    @Produces
    static Gateway.Parts parts(
            Catalog catalog,
            @ForPlatform(ClusterKind.Local) Cluster cluster,
            Autoscaler autoscaler,
            ObjectStore store,
            MeterRegistry meters,
            Clock clock,
            RandomGenerator random) {
        return new Gateway.Parts(catalog, cluster, autoscaler, new UnitStore(store)::read, meters, clock, random);
    }

    @Produces
    @Singleton
    static FunctionHandler handler(Settings settings, Instance<Gateway> gateway) {
        return switch (settings.cluster().kind()) {
            case Local -> gateway.get();
            case Knative -> new OnCluster();
        };
    }

    /** Tells callers that a cluster's functions are not called through the controller. */
    private static final class OnCluster implements FunctionHandler {
        @Override
        public boolean handles(HttpRequest request) {
            return Gateway.isForFunction(request);
        }

        @Override
        public void handle(HttpExchange exchange) throws IOException {
            exchange.respond(
                    Answers.error(
                            404,
                            "on a cluster each function has an address of its own: see url of ./knabla list, or kubectl get functions"));
        }
    }
}
