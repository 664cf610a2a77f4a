package io.knabla.controller.local;

import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.spot.aws.InstanceMetadata;
import io.knabla.controller.spot.signal.CapacitySignal;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Asks the EC2 instance that this platform runs on whether it is taken back, every 5 s as AWS advises, if
 * {@code spot.metadata} says so. What is announced goes for all spot nodes of this machine, which end together.
 */
@Singleton
public final class MachineSignals implements Lifecycle {
    private static final System.Logger LOG = System.getLogger(MachineSignals.class.getName());
    private static final long PERIOD_SECONDS = 5;

    private final boolean asks;
    private final LocalCluster cluster;
    private final CapacitySignals signals;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("knabla-metadata").factory());

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
            InstanceMetadata metadata = new InstanceMetadata("this machine");
            timer.scheduleWithFixedDelay(() -> ask(metadata), 0, PERIOD_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void ask(InstanceMetadata metadata) {
        try {
            metadata.signal().ifPresent(this::announce);
        } catch (SdkException failed) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the instance's metadata cannot be read, as spot.metadata asks for: " + failed.getMessage());
        } catch (RuntimeException bug) {
            LOG.log(System.Logger.Level.ERROR, "a signal of this machine was not taken", bug);
        }
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
        timer.shutdownNow();
    }
}
