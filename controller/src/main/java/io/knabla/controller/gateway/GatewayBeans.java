package io.knabla.controller.gateway;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.cluster.Cluster;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.functions.unit.Units;
import io.knabla.storage.ObjectStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.random.RandomGenerator;

/** Joins the gateway to the controller's HTTP server, and starts what it stands on, in order. */
@ApplicationScoped
class GatewayBeans {
    /** Before everything of Quarkus but after the doors, which check who may enter at all. */
    private static final int ORDER = -100;

    private final Autoscaler autoscaler;
    private final Gateway gateway;

    GatewayBeans(
            Vertx vertx,
            Catalog catalog,
            Cluster cluster,
            Autoscaler autoscaler,
            ObjectStore store,
            MeterRegistry meters,
            RandomGenerator random) {
        this.autoscaler = autoscaler;
        gateway =
                new Gateway(
                        new Gateway.Parts(
                                vertx,
                                catalog,
                                cluster,
                                autoscaler,
                                new Units(store)::read,
                                meters,
                                random),
                        GatewaySettings.DEFAULT);
    }

    void routes(@Observes Router router) {
        router.route()
                .order(ORDER)
                .handler(
                        context -> {
                            if (gateway.handles(context.request())) {
                                gateway.handle(context.request());
                            } else {
                                context.next();
                            }
                        });
    }

    void start(@Observes StartupEvent event) {
        autoscaler.start();
        gateway.start();
    }
}
