package io.knabla.controller.knative.wake;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.knative.WakePool;
import io.knabla.controller.knative.leader.Leadership;
import io.knabla.controller.knative.manifest.PodSettings;
import io.knabla.controller.knative.manifest.PoolObjects;
import io.knabla.storage.ObjectStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.util.List;

/** Produces the wake pools; on a laptop, which has a pool of replicas of its own, none is created. */
@ApplicationScoped
class WakePoolBeans {
    /** Leadership starts the operator, which asks for the pools, so it is asked for late. */
    @Produces
    @Singleton
    @Typed({WakePools.class, WakePool.class, Lifecycle.class})
    @ForPlatform(ClusterKind.Knative)
    static WakePools pools(
            KubernetesClient client,
            Catalog catalog,
            ObjectStore store,
            @ForPlatform(ClusterKind.Knative) PodSettings pods,
            @ForPlatform(ClusterKind.Knative) Instance<Leadership> leadership,
            Settings settings) {
        var pool = settings.cluster().wakePool();
        var size = new PoolObjects.Size(
                pool.memory().bytes(), pool.functionMemory().bytes(), pool.spares());
        return new WakePools(
                client,
                catalog,
                store,
                new PoolNamespaces(pool.namespaces().orElse(List.of())),
                settings.cluster().namespaces().orElse(List.of()),
                new PoolObjects(pods, size),
                () -> leadership.get().leads());
    }
}
