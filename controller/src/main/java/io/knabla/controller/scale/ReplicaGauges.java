package io.knabla.controller.scale;

import static io.knabla.controller.platform.Replica.State.DRAINING;
import static io.knabla.controller.platform.Replica.State.READY;
import static io.knabla.controller.platform.Replica.State.STARTING;
import static io.knabla.controller.platform.Replica.State.UNRESPONSIVE;

import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.GpuLossReason;
import io.knabla.controller.platform.LostGpus;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Registers the metrics {@code knabla.replicas}, the number of replicas in each state and on each type of capacity, and
 * {@code knabla.interruptions}, the number of capacity signals of each kind; and {@code knabla.gpu.lost}, the number of
 * replicas that lost their GPU, by reason.
 */
@Singleton
public final class ReplicaGauges implements Lifecycle {
    private final ClusterView cluster;
    private final CapacitySignals signals;
    private final LostGpus lost;
    private final Clock clock;
    private final MeterRegistry meters;

    ReplicaGauges(ClusterView cluster, CapacitySignals signals, LostGpus lost, Clock clock, MeterRegistry meters) {
        this.cluster = cluster;
        this.signals = signals;
        this.lost = lost;
        this.clock = clock;
        this.meters = meters;
    }

    /** Without a label of the function: the number of series must not grow with the number of functions. */
    @Override
    public void start() {
        for (Replica.State state : List.of(STARTING, READY, UNRESPONSIVE, DRAINING)) {
            for (CapacityType type : CapacityType.values()) {
                Gauge.builder("knabla.replicas", cluster, it -> count(it, state, type))
                        .description("Replicas by state and capacity type")
                        .tag("state", state.name().toLowerCase(Locale.ROOT))
                        .tag("capacity", type.name())
                        .register(meters);
            }
        }
        for (CapacitySignal.Kind kind : CapacitySignal.Kind.values()) {
            counter(kind);
        }
        signals.onSignal(signal -> counter(signal.kind()).increment());
        for (GpuLossReason reason : GpuLossReason.values()) {
            counter(reason);
        }
        cluster.onChange(this::countLoss);
    }

    private void countLoss(Replica replica) {
        if (replica.failure() == Replica.Failure.DEVICE_LOST) {
            var error = lost.of(replica.node(), clock.instant()).map(LostGpus.Loss::error);
            counter(GpuLossReason.of(error, replica.reason())).increment();
        }
    }

    private Counter counter(GpuLossReason reason) {
        return Counter.builder("knabla.gpu.lost")
                .description("Replicas that lost their GPU")
                .tag("reason", reason.name())
                .register(meters);
    }

    private Counter counter(CapacitySignal.Kind kind) {
        return Counter.builder("knabla.interruptions")
                .description("Nodes at risk, warned and taken back")
                .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                .register(meters);
    }

    private static double count(ClusterView cluster, Replica.State state, CapacityType type) {
        Set<String> nodes = cluster.nodes().stream()
                .filter(node -> node.capacityType() == type)
                .map(Node::name)
                .collect(Collectors.toSet());
        return cluster.replicas().stream()
                .filter(replica -> replica.state() == state && nodes.contains(replica.node()))
                .count();
    }
}
