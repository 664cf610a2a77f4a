package io.knabla.controller.app;

import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.cost.alert.BudgetAlerts;
import io.knabla.controller.cost.metrics.CostMetrics;
import io.knabla.controller.cost.record.LedgerMaintenance;
import io.knabla.controller.cost.record.UsageRecorder;
import io.knabla.controller.cost.refresh.PriceRefreshSchedule;
import io.knabla.controller.gc.CollectionScheduler;
import io.knabla.controller.knative.interruption.NodeInterruptions;
import io.knabla.controller.knative.leader.Leadership;
import io.knabla.controller.knative.placement.PolicySplits;
import io.knabla.controller.knative.rights.RefusedTasks;
import io.knabla.controller.knative.signal.ClusterSignals;
import io.knabla.controller.knative.usage.ReplicaScraper;
import io.knabla.controller.knative.wake.WakePools;
import io.knabla.controller.local.MachineSignals;
import io.knabla.controller.local.gateway.Gateway;
import io.knabla.controller.models.ModelUploads;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.controller.scale.ReplicaGauges;
import io.knabla.controller.scale.fleet.SpotRisks;
import io.knabla.controller.training.TrainingStateCleaner;
import io.knabla.controller.warm.act.WarmKeeper;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/**
 * Lists the parts of the controller, starts them in this order, and stops them in reverse order. Nothing else observes
 * the start or the end of the process. A part is created when its turn comes, so a laptop creates nothing of
 * Kubernetes.
 *
 * <p>Quarkus opens the port of the control API after the last start. {@code PlatformApplication} then opens the front,
 * which people reach, and closes it before the first stop. Routes of the control API are added earlier, in the order of
 * their numbers: {@code RequestGuardFilter}, the resources, {@code FallbackRoutes}.
 */
@Singleton
final class Startup {
    private static final System.Logger LOG = System.getLogger(Startup.class.getName());

    private final ClusterKind kind;
    private final Function<Class<? extends Lifecycle>, Lifecycle> beans;
    private final Deque<Lifecycle> running = new ArrayDeque<>();

    @Inject
    Startup(Settings settings, @Any Instance<Lifecycle> beans) {
        this(settings.cluster().kind(), part -> beans.select(part).get());
    }

    Startup(ClusterKind kind, Function<Class<? extends Lifecycle>, Lifecycle> beans) {
        this.kind = kind;
        this.beans = beans;
    }

    static List<Class<? extends Lifecycle>> local() {
        return List.of(
                CatalogRefresher.class, // loads the catalog, which all others read
                UsageRecorder.class, // its end stops the replicas, so it comes after that of all that needs them
                LedgerMaintenance.class,
                ModelUploads.class,
                TrainingStateCleaner.class,
                CollectionScheduler.class,
                PriceRefreshSchedule.class,
                BudgetAlerts.class,
                ReplicaGauges.class,
                CostMetrics.class,
                WarmKeeper.class, // its end stores what it learned until the gateway closed
                SpotRisks.class, // its end stores what the policies of the next learned
                Autoscaler.class,
                MachineSignals.class,
                Gateway.class); // reads what the autoscaler knows of each version
    }

    static List<Class<? extends Lifecycle>> knative() {
        return List.of(
                CatalogRefresher.class, // loads the catalog, which all others read
                ModelUploads.class,
                TrainingStateCleaner.class, // the first that needs the view of the cluster, which opens here
                CollectionScheduler.class,
                PriceRefreshSchedule.class,
                BudgetAlerts.class,
                ReplicaGauges.class,
                CostMetrics.class,
                Leadership.class, // runs the operator while this controller leads
                ClusterSignals.class, // reads the queue while this controller leads
                WakePools.class, // acts while this controller leads
                RefusedTasks.class, // asks while this controller leads
                NodeInterruptions.class, // acts on signals while this controller leads
                UsageRecorder.class, // records while this controller leads, so it ends before that does
                LedgerMaintenance.class,
                ReplicaScraper.class, // reads what replicas did while this controller leads
                WarmKeeper.class,
                SpotRisks.class, // its end stores what the policies of the next learned
                PolicySplits.class); // decides while this controller leads
    }

    void start(@Observes StartupEvent event) {
        parts().forEach(this::start);
    }

    private List<Class<? extends Lifecycle>> parts() {
        return switch (kind) {
            case Local -> local();
            case Knative -> knative();
        };
    }

    private void start(Class<? extends Lifecycle> part) {
        Lifecycle bean = beans.apply(part);
        bean.start();
        running.push(bean);
    }

    /** A part that fails to stop must not keep the others running. */
    private static void close(Lifecycle part) {
        try {
            part.close();
        } catch (RuntimeException failed) {
            LOG.log(System.Logger.Level.ERROR, "cannot stop " + part.getClass().getSimpleName(), failed);
        }
    }

    /** Runs before beans are destroyed: the operator still has its Kubernetes client, and releases its Lease. */
    void stop(@Observes ShutdownEvent event) {
        running.forEach(Startup::close);
        running.clear();
    }
}
