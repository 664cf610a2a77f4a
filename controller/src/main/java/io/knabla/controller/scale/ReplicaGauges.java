package io.knabla.controller.scale;

import static io.knabla.controller.platform.Replica.State.DRAINING;
import static io.knabla.controller.platform.Replica.State.READY;
import static io.knabla.controller.platform.Replica.State.STARTING;
import static io.knabla.controller.platform.Replica.State.UNRESPONSIVE;

import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.Replica;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Locale;

/** Registers the metric {@code knabla.replicas}: the number of replicas in each state. */
@Singleton
public final class ReplicaGauges implements Lifecycle {
    private final ClusterView cluster;
    private final MeterRegistry meters;

    ReplicaGauges(ClusterView cluster, MeterRegistry meters) {
        this.cluster = cluster;
        this.meters = meters;
    }

    /** Labelled by state only: the number of series must not grow with the number of functions. */
    @Override
    public void start() {
        for (Replica.State state : List.of(STARTING, READY, UNRESPONSIVE, DRAINING)) {
            Gauge.builder("knabla.replicas", cluster, it -> count(it, state))
                    .description("Replicas by state")
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .register(meters);
        }
    }

    private static double count(ClusterView cluster, Replica.State state) {
        return cluster.replicas().stream()
                .filter(replica -> replica.state() == state)
                .count();
    }
}
