package io.knabla.controller.local;

import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.spot.aws.InstanceMetadata;
import io.knabla.controller.spot.signal.CapacitySignal;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Asks the EC2 instance that this platform runs on whether it is taken back, every 5 s as AWS advises, if
 * {@code spot.metadata} says so. What is announced goes for all spot nodes of this machine, which end together.
 */
@Singleton
public final class MachineSignals implements Lifecycle {
    private static final Duration PERIOD = Duration.ofSeconds(5);

    private final boolean asks;
    private final LocalCluster cluster;
    private final CapacitySignals signals;
    private final PeriodicTask task =
            new PeriodicTask("knabla-metadata", "ask the instance's metadata, as spot.metadata says", this::ask);

    private InstanceMetadata metadata;

    @Inject
    MachineSignals(Settings settings, @ForPlatform(ClusterKind.Local) LocalCluster cluster, CapacitySignals signals) {
        this(settings.spot().metadata(), cluster, signals);
    }

    MachineSignals(boolean asks, LocalCluster cluster, CapacitySignals signals) {
        this.asks = asks;
        this.cluster = cluster;
        this.signals = signals;
    }

    @Override
    public void start() {
        if (asks) {
            metadata = new InstanceMetadata("this machine");
            task.start(Duration.ZERO, PERIOD);
        }
    }

    private void ask() {
        metadata.signal().ifPresent(this::announce);
    }

    private void announce(CapacitySignal signal) {
        cluster.nodes().stream()
                .filter(node -> node.capacityType() == CapacityType.Spot)
                .map(Node::name)
                .forEach(node -> {
                    if (signal.isInterruption()) {
                        cluster.warn(node);
                    }
                    signals.accept(signal.of(node));
                });
    }

    @Override
    public void close() {
        task.close();
    }
}
