package io.knabla.controller.knative.reconcile;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Ids;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.cost.query.CurrentPrices;
import io.knabla.controller.deploy.Deployer;
import io.knabla.controller.deploy.TrafficChange;
import io.knabla.controller.deploy.UnitProvenance;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.knative.CapacitySplits;
import io.knabla.controller.knative.InterruptionNeeds;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.UtilizationNeeds;
import io.knabla.controller.knative.WakePool;
import io.knabla.controller.knative.leader.Leadership;
import io.knabla.controller.knative.leader.LeaseClient;
import io.knabla.controller.knative.leader.LeaseTimes;
import io.knabla.controller.knative.manifest.GpuPods;
import io.knabla.controller.knative.manifest.PodSettings;
import io.knabla.controller.knative.reconcile.FunctionOperator.CatalogServices;
import io.knabla.controller.knative.reconcile.FunctionOperator.OperatorConfig;
import io.knabla.controller.knative.rights.RefusedTasks;
import io.knabla.controller.machine.Architecture;
import io.knabla.controller.models.ModelAvailable;
import io.knabla.controller.platform.FunctionEvents;
import io.knabla.controller.platform.KeepWarm;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Produces the operator of the Kubernetes platform; on a laptop none of its beans is created. */
@ApplicationScoped
class OperatorBeans {
    private static final String DEFAULT_NAMESPACE = "default";

    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static CatalogServices services(
            Deployer deployer,
            Catalog catalog,
            TrafficChange traffic,
            UnitProvenance origins,
            CurrentPrices prices,
            KubernetesClient client,
            Clock clock) {
        var deploys =
                new OrphanCleaningDeployer(client, catalog, order -> deployer.deploy(order.resource(), order::claim));
        return new CatalogServices(
                catalog,
                traffic,
                origins,
                new PackagingQueue(deploys, PackagingQueue.boundedExecutor(), clock),
                prices);
    }

    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static PodSettings pods(Settings settings, StoreAccess store) {
        var cluster = settings.cluster();
        return new PodSettings(
                cluster.image().orElseThrow(),
                cluster.gpuImage().map(image -> new GpuPods(image, cluster.gpuShareResource())),
                cluster.priorityClass(),
                store,
                cluster.serviceAccountAnnotations().map(Settings.Pairs::values).orElse(Map.of()),
                Architecture.ofThisProcess());
    }

    /** Asked when the operator opens: what it supplies reads the operator's own view. */
    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static Supplier<RolloutNeeds> needs(
            Instance<KeepWarm> keepWarm,
            @ForPlatform(ClusterKind.Knative) Instance<InterruptionNeeds> interruptions,
            @ForPlatform(ClusterKind.Knative) Instance<UtilizationNeeds> utilization,
            @ForPlatform(ClusterKind.Knative) Instance<CapacitySplits> splits) {
        return () -> new RolloutNeeds(keepWarm.get(), interruptions.get(), utilization.get(), splits.get());
    }

    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static OperatorConfig self(
            Settings settings,
            @ForPlatform(ClusterKind.Knative) PodSettings pods,
            Ids ids,
            @ForPlatform(ClusterKind.Knative) Supplier<RolloutNeeds> needs,
            @ForPlatform(ClusterKind.Knative) Instance<WakePool> pools,
            @ForPlatform(ClusterKind.Knative) Instance<RefusedTasks> refusedTasks) {
        String host = Optional.ofNullable(System.getenv("HOSTNAME")).orElse("controller");
        return new OperatorConfig(
                pods,
                settings.cluster().namespaces().orElse(List.of()),
                host + "-" + ids.next(),
                needs,
                pools::get,
                refusedTasks::get);
    }

    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static Leadership leadership(
            KubernetesClient client,
            @ForPlatform(ClusterKind.Knative) KnativeView view,
            @ForPlatform(ClusterKind.Knative) CatalogServices services,
            @ForPlatform(ClusterKind.Knative) OperatorConfig self,
            Settings settings,
            Clock clock,
            MeterRegistry meters) {
        // An installed controller has the right to a Lease in its own namespace. Sorted: controllers with
        // the same namespaces must share one Lease.
        String namespace = settings.namespace()
                .or(() -> self.namespaces().stream().sorted().findFirst())
                .or(() -> Optional.ofNullable(client.getNamespace()))
                .orElse(DEFAULT_NAMESPACE);
        var parts = new FunctionOperator.Dependencies(client, view, services, self, clock, meters);
        return new Leadership(
                new LeaseClient(
                        client,
                        namespace,
                        LeaseClient.name(self.namespaces()),
                        self.instance(),
                        LeaseTimes.DEFAULT,
                        clock),
                leads -> FunctionOperator.open(parts, leads));
    }

    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static FunctionEvents events(
            KubernetesClient client, @ForPlatform(ClusterKind.Knative) OperatorConfig self, Clock clock) {
        return new EventRecorder(client, clock, self.instance())::warn;
    }

    /** Retries functions that wait for this file; if another controller leads, its next retry finds the file. */
    void arrived(
            @Observes ModelAvailable arrival,
            Settings settings,
            @ForPlatform(ClusterKind.Knative) Instance<CatalogServices> services) {
        switch (settings.cluster().kind()) {
            case Knative -> services.get().packagings().fileArrived(arrival.file());
            case Local -> {}
        }
    }
}
