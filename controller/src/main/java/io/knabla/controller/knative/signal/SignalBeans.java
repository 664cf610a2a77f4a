package io.knabla.controller.knative.signal;

import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.leader.Leadership;
import io.knabla.controller.knative.usage.ClusterUsage;
import io.knabla.controller.platform.CapacitySignals;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;

/** Produces what receives the capacity signals of a cluster. */
@ApplicationScoped
class SignalBeans {
    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static ClusterSignals signals(
            @ForPlatform(ClusterKind.Knative) KnativeView view,
            CapacitySignals signals,
            @ForPlatform(ClusterKind.Knative) ClusterUsage usage,
            Clock clock,
            @ForPlatform(ClusterKind.Knative) Leadership leadership,
            Settings settings) {
        return new ClusterSignals(
                view,
                signals,
                usage::noticed,
                clock,
                leadership::leads,
                settings.spot().queue());
    }
}
