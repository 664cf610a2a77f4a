package io.knabla.controller.local;

import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.platform.InterruptionDrills;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Takes virtual nodes back: signals the interruption, kills the node's replicas when the notice ends, and returns the
 * node after a while.
 */
@Singleton
@ForPlatform(ClusterKind.Local)
public final class NodeDrills implements InterruptionDrills, AutoCloseable {
    private final LocalCluster cluster;
    private final CapacitySignals signals;
    private final InstantSource clock;
    private final Duration away;
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("knabla-node-drills").factory());

    @Inject
    NodeDrills(
            @ForPlatform(ClusterKind.Local) LocalCluster cluster,
            CapacitySignals signals,
            Clock clock,
            Settings settings) {
        this(cluster, signals, clock, settings.spot().nodeReturn());
    }

    /** @param away time until a node returns that was taken back, and until a rebalance recommendation lapses */
    public NodeDrills(LocalCluster cluster, CapacitySignals signals, InstantSource clock, Duration away) {
        this.cluster = cluster;
        this.signals = signals;
        this.clock = clock;
        this.away = away;
    }

    @Override
    public void interrupt(String node, Duration notice) {
        var warning = new CapacitySignal(
                node, Kind.INTERRUPTION_WARNING, clock.instant().plus(notice));
        cluster.warn(node);
        if (notice.isZero()) {
            takeBack(node);
        } else if (signals.accept(warning)) {
            after(notice, () -> {
                // A shorter notice may have come since.
                if (signals.of(node).filter(warning::equals).isPresent()) {
                    takeBack(node);
                }
            });
        }
    }

    private void takeBack(String node) {
        var gone = new CapacitySignal(node, Kind.GONE, clock.instant().plus(away));
        if (signals.accept(gone)) {
            cluster.takeBack(node);
            after(away, () -> {
                cluster.giveBack(node);
                signals.forget(gone);
            });
        }
    }

    @Override
    public void rebalance(String node) {
        var recommended = new CapacitySignal(
                node, Kind.REBALANCE_RECOMMENDED, clock.instant().plus(away));
        if (signals.accept(recommended)) {
            after(away, () -> signals.forget(recommended));
        }
    }

    private void after(Duration time, Runnable task) {
        timers.schedule(task, time.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    @PreDestroy
    public void close() {
        timers.shutdownNow();
    }
}
