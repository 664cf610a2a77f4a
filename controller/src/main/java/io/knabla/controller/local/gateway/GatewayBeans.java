package io.knabla.controller.local.gateway;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.ObjectStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.random.RandomGenerator;

/** Produces the gateway and adds it to the controller's HTTP server. */
@ApplicationScoped
class GatewayBeans {
    /** Before all routes of Quarkus, but after the request guard, which rejects unauthorised requests. */
    private static final int ORDER = -100;

    private final ClusterKind kind;
    private final Instance<Gateway> gateway;

    GatewayBeans(Settings settings, Instance<Gateway> gateway) {
        this.kind = settings.cluster().kind();
        this.gateway = gateway;
    }

    @Produces
    @Singleton
    static Gateway gateway(
            Vertx vertx,
            Catalog catalog,
            @ForPlatform(ClusterKind.Local) Cluster cluster,
            Autoscaler autoscaler,
            ObjectStore store,
            MeterRegistry meters,
            RandomGenerator random) {
        return new Gateway(
                new Gateway.Parts(vertx, catalog, cluster, autoscaler, new UnitStore(store)::read, meters, random),
                GatewaySettings.DEFAULT);
    }

    void routes(@Observes Router router) {
        switch (kind) {
            case Local -> installGateway(router, gateway.get());
            case Knative -> installNotFound(router);
        }
    }

    private static void installGateway(Router router, Gateway gateway) {
        router.route().order(ORDER).handler(context -> {
            if (Gateway.handles(context.request())) {
                gateway.handle(context.request());
            } else {
                context.next();
            }
        });
    }

    private static void installNotFound(Router router) {
        router.route().order(ORDER).handler(context -> {
            HttpServerRequest request = context.request();
            if (Gateway.handles(request)) {
                Answers.error(
                        request.response(),
                        404,
                        "on a cluster each function has an address of its own: see url of ./knabla list, or kubectl get functions");
            } else {
                context.next();
            }
        });
    }
}
