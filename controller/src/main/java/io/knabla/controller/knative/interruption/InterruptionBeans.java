package io.knabla.controller.knative.interruption;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.leader.Leadership;
import io.knabla.controller.knative.rights.RefusedTasks;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.platform.FunctionEvents;
import io.knabla.controller.platform.PlacementReasons;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;

/** Produces what acts on interruptions of a cluster's nodes; on a laptop none of its beans is created. */
@ApplicationScoped
class InterruptionBeans {
    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static MoveReports reports(
            @ForPlatform(ClusterKind.Knative) FunctionEvents events, PlacementReasons reasons, MeterRegistry meters) {
        return new MoveReports(events, reasons, meters);
    }

    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static NodeInterruptions.Actions actions(
            KubernetesClient client,
            @ForPlatform(ClusterKind.Knative) MoveReports reports,
            @ForPlatform(ClusterKind.Knative) RefusedTasks refusedTasks,
            Settings settings) {
        var calls = new InterruptionCalls(client);
        var budgets = DrainBudgets.open(client, settings.cluster().namespaces().orElse(List.of()));
        var holds = new DrainHolds(budgets, calls, reports, settings.spot().hold());
        return new NodeInterruptions.Actions(calls, reports, holds, refusedTasks::askAgain);
    }

    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static NodeInterruptions interruptions(
            @ForPlatform(ClusterKind.Knative) KnativeView view,
            @ForPlatform(ClusterKind.Knative) NodeInterruptions.Actions actions,
            @ForPlatform(ClusterKind.Knative) Leadership leadership,
            CapacitySignals signals,
            Clock clock,
            Settings settings) {
        view.follow(actions.reports().gpuLosses(leadership::leads));
        var options = new NodeInterruptions.Options(
                settings.spot().block(), settings.spot().act());
        return new NodeInterruptions(view, signals, actions, clock, leadership::leads, options);
    }
}
