package io.knabla.controller.knative.reconcile;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.cost.query.CurrentPrices;
import io.knabla.controller.deploy.TrafficChange;
import io.knabla.controller.deploy.UnitProvenance;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.WakePool;
import io.knabla.controller.knative.manifest.PodSettings;
import io.knabla.controller.knative.reconcile.OperatorRuntime.Kind;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.knative.rights.RefusedTasks;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Runs the operator while this controller leads: starts its watches when opened, and stops when closed. */
public final class FunctionOperator implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(FunctionOperator.class.getName());

    /** Needed because the catalog's record of a function is outside the cluster: Kubernetes cannot delete it. */
    static final String FINALIZER = Labels.GROUP + "/catalog";

    /** How long a running reconciliation may take after the controller stops or loses the lead. */
    public static final Duration TERMINATION_TIMEOUT = OperatorRuntime.TERMINATION_TIMEOUT;

    /** Dependencies of the operator. */
    record Dependencies(
            KubernetesClient client,
            KnativeView view,
            CatalogServices services,
            OperatorConfig self,
            Clock clock,
            MeterRegistry meters) {}

    /**
     * Services that hold the state of functions outside the cluster.
     *
     * @param packagings outlive an operator: their work continues after this controller loses the lead
     */
    record CatalogServices(
            Catalog catalog,
            TrafficChange traffic,
            UnitProvenance origins,
            PackagingQueue packagings,
            CurrentPrices prices) {}

    /**
     * Configuration of this controller's operator.
     *
     * @param namespaces empty for all
     * @param instance unique name of this controller
     * @param needs asked for when this controller leads: keep-warm needs to know what runs, which the view of a leader
     *     says, and the others act then only
     * @param pools asked for when this controller leads, for the same reason
     * @param refusedTasks asked for when this controller leads: they are known then only
     */
    record OperatorConfig(
            PodSettings pods,
            List<String> namespaces,
            String instance,
            Supplier<RolloutNeeds> needs,
            Supplier<WakePool> pools,
            Supplier<RefusedTasks> refusedTasks) {}

    private final OperatorRuntime operator;
    private final ClusterWatch watch;
    private final Runnable unsubscribe;

    private FunctionOperator(OperatorRuntime operator, ClusterWatch watch, Runnable unfollow) {
        this.operator = operator;
        this.watch = watch;
        this.unsubscribe = unfollow;
    }

    /** @param leads checked before each reconciliation */
    static FunctionOperator open(Dependencies parts, BooleanSupplier leads) {
        checkDefinition(parts.client());
        var triggers = new ManualTriggers();
        ClusterWatch watch = ClusterWatch.open(parts.client(), parts.view(), triggers::triggerAll);
        parts.services().prices().whenKnown(triggers::triggerAll);
        OperatorRuntime operator = OperatorRuntime.of(
                parts.client(),
                parts.meters(),
                parts.self().namespaces(),
                List.of(new Kind<>("functions", FINALIZER, reconciler(parts, watch, triggers, leads))));
        Runnable unfollowPods = parts.view().onPod(triggers::trigger);
        operator.start();
        Runnable unfollowNeeds = parts.self().needs().get().onChange(triggers::trigger);
        Runnable unfollowPools = parts.self().pools().get().onChange(triggers::trigger);
        Runnable unfollowRefusedTasks = parts.self().refusedTasks().get().onChange(triggers::triggerAll);
        return new FunctionOperator(operator, watch, () -> {
            unfollowRefusedTasks.run();
            unfollowPools.run();
            unfollowPods.run();
            unfollowNeeds.run();
        });
    }

    /** Logs that the CRD is missing: the framework retries, but does not name it. */
    private static void checkDefinition(KubernetesClient client) {
        try {
            client.resources(FunctionObject.class)
                    .inAnyNamespace()
                    .list(new ListOptionsBuilder().withLimit(1L).build());
        } catch (KubernetesClientException failed) {
            if (failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                LOG.log(
                        System.Logger.Level.ERROR,
                        "the cluster does not know the resource functions.knabla.dev; kubectl apply -k k8s/base makes it");
            }
        }
    }

    /** Takes the uid of namespace kube-system as the cluster's identity: clusters have no name. */
    private static RecordOwnership ownership(KubernetesClient client) {
        try {
            return new RecordOwnership(Optional.ofNullable(
                            client.namespaces().withName("kube-system").get())
                    .map(namespace -> namespace.getMetadata().getUid())
                    .orElse(""));
        } catch (KubernetesClientException unknown) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "cannot read the identity of this cluster, so functions reuse any stored record of the same name: {0}",
                    unknown.getMessage());
            return new RecordOwnership("");
        }
    }

    private static FunctionReconciler reconciler(
            Dependencies parts, ClusterWatch watch, ManualTriggers triggers, BooleanSupplier leads) {
        CatalogServices services = parts.services();
        Clock clock = parts.clock();
        var writer = new ObjectApplier(parts.client());
        var events = new EventRecorder(parts.client(), clock, parts.self().instance());
        var reporter = new StatusWriter(
                writer,
                events,
                services.origins(),
                services.prices()::book,
                () -> parts.self().refusedTasks().get().refusals(),
                clock);
        var replacements = new ReplacementLimiter(triggers::trigger);
        var pass = new ReconcilePass(
                new VersionReconciler(
                        services.catalog(),
                        services.packagings(),
                        services.traffic(),
                        ownership(parts.client()),
                        clock),
                new RolloutApplier(
                        writer,
                        parts.self().pods(),
                        services.origins(),
                        replacements,
                        parts.self().needs().get(),
                        new SleepApplier(
                                parts.self().pools().get(), parts.self().pods())),
                reporter,
                watch,
                clock);
        var removal =
                new FunctionFinalizer(services.catalog(), services.packagings(), writer, reporter, replacements, clock);
        return new FunctionReconciler(parts.view(), pass, removal, triggers, leads);
    }

    @Override
    public void close() {
        unsubscribe.run();
        operator.close();
        watch.close();
    }
}
