package io.knabla.controller.scale;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.LostGpus;
import io.knabla.controller.platform.LostGpus.Loss;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.scale.Placement.Closure;
import io.knabla.controller.scale.fleet.SpotRisks;
import io.knabla.controller.spot.live.VersionFleet;
import io.knabla.controller.spot.signal.CapacitySignal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Knows which nodes take no new replicas: those with a signal, and for a while all spot nodes of a zone that took a
 * node back, and nodes that lost their GPU.
 */
public final class SpotCapacity {
    private final CapacitySignals signals;
    private final PlacementReasons reasons;
    private final Duration block;
    private final NodePrices prices;
    private final RandomGenerator random;
    private final SpotRisks risks;
    private final LostGpus lost;

    /** When each zone's spot capacity may be used again. */
    private final Map<String, Instant> blocked = new ConcurrentHashMap<>();

    /** @param block time for which spot capacity of a zone is not used after it took a node back */
    public SpotCapacity(
            CapacitySignals signals,
            PlacementReasons reasons,
            NodePrices prices,
            Duration block,
            RandomGenerator random,
            SpotRisks risks,
            LostGpus lost) {
        this.signals = signals;
        this.reasons = reasons;
        this.prices = prices;
        this.block = block;
        this.random = random;
        this.risks = risks;
        this.lost = lost;
    }

    CapacitySignals signals() {
        return signals;
    }

    PlacementReasons reasons() {
        return reasons;
    }

    NodePrices prices() {
        return prices;
    }

    /** For choices that policies make by chance. */
    RandomGenerator random() {
        return random;
    }

    /** Plans where replicas of a version of this function run. */
    VersionFleet fleet(FunctionId function) {
        return new VersionFleet(risks.of(function));
    }

    /** Blocks the zone of a spot node that is taken back. */
    void noted(CapacitySignal signal, ClusterView cluster, Instant now) {
        if (signal.isInterruption()) {
            cluster.nodes().stream()
                    .filter(node -> node.name().equals(signal.node()))
                    .filter(node -> node.capacityType() == CapacityType.Spot)
                    .forEach(node -> blocked.put(node.zone(), now.plus(block)));
        }
    }

    /** Why no replica is placed on this node now; empty if it is open. */
    Optional<Closure> closed(Node node, Instant now) {
        return signals.of(node.name())
                .map(signal -> new Closure(reason(signal), signal.until()))
                .or(() -> Optional.ofNullable(blocked.get(node.zone()))
                        .filter(_ -> node.capacityType() == CapacityType.Spot)
                        .filter(now::isBefore)
                        .map(until ->
                                new Closure("its zone took spot capacity back, blocked until " + time(until), until)))
                .or(() -> lost.of(node.name(), now).map(SpotCapacity::withoutGpu));
    }

    private static Closure withoutGpu(Loss loss) {
        return new Closure(
                "its GPU was lost (Xid %d: %s), blocked until %s; look at it with nvidia-smi"
                        .formatted(loss.error().xid(), loss.error().meaning(), time(loss.until())),
                loss.until());
    }

    private static String reason(CapacitySignal signal) {
        return switch (signal.kind()) {
            case REBALANCE_RECOMMENDED -> "at a higher risk of an interruption";
            case INTERRUPTION_WARNING -> "taken back at " + time(signal.until());
            case GONE -> "taken back, may return at " + time(signal.until());
        };
    }

    private static Instant time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS);
    }
}
