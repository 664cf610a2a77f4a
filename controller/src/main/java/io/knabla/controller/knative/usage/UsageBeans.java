package io.knabla.controller.knative.usage;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.leader.Leadership;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;

/** Produces the usage of a cluster; on a laptop none of its beans is created. */
@ApplicationScoped
class UsageBeans {
    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static ClusterUsage usage(
            KubernetesClient client,
            @ForPlatform(ClusterKind.Knative) KnativeView view,
            @ForPlatform(ClusterKind.Knative) Leadership leadership,
            Clock clock) {
        return ClusterUsage.open(view, new EndEvents(client), clock, leadership::leads);
    }

    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static VersionUtilizations utilizations(Catalog catalog, Clock clock) {
        return new VersionUtilizations(
                version -> catalog.find(version.function())
                        .flatMap(record -> record.version(version.version()))
                        .map(found -> found.spec().scaling().targetUtilization())
                        .orElse(1.0),
                clock);
    }

    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static ReplicaScraper scraper(
            @ForPlatform(ClusterKind.Knative) ClusterUsage usage,
            @ForPlatform(ClusterKind.Knative) VersionUtilizations utilizations) {
        return new ReplicaScraper(usage, utilizations);
    }
}
