package io.knabla.controller.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.Ids;
import io.knabla.controller.On;
import io.knabla.controller.Settings;
import io.knabla.controller.Settings.ClusterKind;
import io.knabla.controller.StoreAccess;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.cluster.knative.Architecture;
import io.knabla.controller.cluster.knative.KnativeView;
import io.knabla.controller.cluster.knative.manifest.PodSettings;
import io.knabla.controller.deploy.Arrival;
import io.knabla.controller.deploy.Deployer;
import io.knabla.controller.deploy.Origins;
import io.knabla.controller.deploy.TrafficChange;
import io.knabla.controller.operator.FunctionOperator.Books;
import io.knabla.controller.operator.FunctionOperator.Self;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Starts and stops the operator on the Kubernetes platform; on a laptop none of its beans is created. */
@ApplicationScoped
class OperatorBeans {
    private static final String DEFAULT_NAMESPACE = "default";

    @Produces
    @Singleton
    @On(ClusterKind.Knative)
    static Books books(
            Deployer deployer,
            Catalog catalog,
            TrafficChange traffic,
            Origins origins,
            KubernetesClient client,
            Clock clock) {
        var deploys = new WantedDeploys(client, catalog, order -> deployer.deploy(order.wish(), order::claimed));
        return new Books(catalog, traffic, origins, new Packagings(deploys, Packagings.inTurn(), clock));
    }

    @Produces
    @Singleton
    @On(ClusterKind.Knative)
    static Self self(Settings settings, StoreAccess store, Ids ids) {
        var cluster = settings.cluster();
        String host = Optional.ofNullable(System.getenv("HOSTNAME")).orElse("controller");
        return new Self(
                new PodSettings(
                        cluster.image().orElseThrow(),
                        cluster.gpuImage(),
                        cluster.priorityClass(),
                        store,
                        cluster.serviceAccountAnnotations()
                                .map(Settings.Pairs::values)
                                .orElse(Map.of()),
                        Architecture.ofThisProcess()),
                cluster.namespaces().orElse(List.of()),
                host + "-" + ids.next());
    }

    @Produces
    @Singleton
    @On(ClusterKind.Knative)
    static Leadership leadership(
            KubernetesClient client,
            @On(ClusterKind.Knative) KnativeView view,
            @On(ClusterKind.Knative) Books books,
            @On(ClusterKind.Knative) Self self,
            Settings settings,
            Clock clock,
            MeterRegistry meters) {
        // An installed controller has the right to a Lease in its own namespace. Sorted: controllers with
        // the same namespaces must share one Lease.
        String namespace = settings.namespace()
                .or(() -> self.namespaces().stream().sorted().findFirst())
                .or(() -> Optional.ofNullable(client.getNamespace()))
                .orElse(DEFAULT_NAMESPACE);
        var parts = new FunctionOperator.Parts(client, view, books, self, clock, meters);
        return new Leadership(
                new LeaseBook(
                        client,
                        namespace,
                        LeaseBook.name(self.namespaces()),
                        self.instance(),
                        LeaseTimes.DEFAULT,
                        clock),
                leads -> FunctionOperator.open(parts, leads));
    }

    void start(
            @Observes StartupEvent event, Settings settings, @On(ClusterKind.Knative) Instance<Leadership> leadership) {
        switch (settings.cluster().kind()) {
            case Knative -> leadership.get().start();
            case Local -> {}
        }
    }

    /** Retries functions that wait for this file; if another controller leads, its next retry finds the file. */
    void arrived(@Observes Arrival arrival, Settings settings, @On(ClusterKind.Knative) Instance<Books> books) {
        switch (settings.cluster().kind()) {
            case Knative -> books.get().packagings().arrived(arrival.file());
            case Local -> {}
        }
    }

    /** Runs before the client is closed: the Lease is released through it. */
    void stop(
            @Observes ShutdownEvent event,
            Settings settings,
            @On(ClusterKind.Knative) Instance<Leadership> leadership) {
        switch (settings.cluster().kind()) {
            case Knative -> leadership.get().close();
            case Local -> {}
        }
    }
}
