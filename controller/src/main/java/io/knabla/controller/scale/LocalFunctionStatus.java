package io.knabla.controller.scale;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.FunctionStatus;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.VersionKey;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Derives the status of a function from its replicas on this machine. */
@Singleton
@ForPlatform(ClusterKind.Local)
final class LocalFunctionStatus implements FunctionStatus {
    private final ClusterView cluster;
    private final Autoscaler autoscaler;

    LocalFunctionStatus(ClusterView cluster, Autoscaler autoscaler) {
        this.cluster = cluster;
        this.autoscaler = autoscaler;
    }

    @Override
    public Status of(FunctionRecord record) {
        Map<String, CapacityType> types =
                cluster.nodes().stream().collect(Collectors.toMap(Node::name, Node::capacityType));
        List<Replica> alive = cluster.replicas().stream()
                .filter(replica -> replica.function().equals(record.id()))
                .filter(Autoscaler::isRunning)
                .toList();
        Optional<Integer> readyVersion = autoscaler.readyVersion(record);
        return new Status(
                readyVersion,
                Optional.empty(),
                Map.of(),
                (int) alive.stream()
                        .filter(r -> r.state() == Replica.State.READY)
                        .count(),
                (int) alive.stream()
                        .filter(r -> r.state() == Replica.State.STARTING)
                        .count(),
                on(CapacityType.OnDemand, alive, types),
                on(CapacityType.Spot, alive, types),
                List.of(
                        new Condition("Packaged", "True", "Packaged", "the unit is in the store"),
                        placed(record, alive),
                        ready(record, readyVersion)));
    }

    private static int on(CapacityType type, List<Replica> replicas, Map<String, CapacityType> types) {
        return (int) replicas.stream().filter(r -> types.get(r.node()) == type).count();
    }

    private Condition placed(FunctionRecord record, List<Replica> alive) {
        Optional<Unavailable> unplaceable = scaling(record).flatMap(version -> version.unplaceable);
        if (unplaceable.isPresent()) {
            Unavailable trouble = unplaceable.get();
            return new Condition("Placed", "False", trouble.kind().name(), trouble.message());
        }
        String where = alive.stream().map(Replica::node).distinct().sorted().collect(Collectors.joining(", "));
        return where.isEmpty()
                ? new Condition("Placed", "True", "ScaledToZero", "no replica runs now")
                : new Condition("Placed", "True", "Placed", "on " + where);
    }

    private Condition ready(FunctionRecord record, Optional<Integer> readyVersion) {
        int latest = record.latest().number();
        Optional<Unavailable> impossible = scaling(record)
                .flatMap(version -> version.unplaceable)
                .filter(trouble -> trouble.kind() == Unavailable.Kind.PlacementFailed);
        if (impossible.isPresent()) {
            Unavailable trouble = impossible.get();
            return new Condition("Ready", "False", trouble.kind().name(), trouble.message());
        }
        Optional<VersionScaling> latestScaling = scaling(record);
        Optional<VersionScaling> failing = latestScaling.filter(version -> version.backoff.failing());
        if (readyVersion.filter(ready -> ready == latest).isPresent()) {
            return failing.filter(version -> version.backoff.failingRepeatedly())
                    .map(version -> crashLoop(latest, version))
                    .orElseGet(() -> new Condition("Ready", "True", "Ready", answers(latest, latestScaling)));
        }
        return failing.map(version -> crashLoop(latest, version))
                .orElseGet(() -> new Condition(
                        "Ready", "Unknown", "Starting", "version %d is started for the first time".formatted(latest)));
    }

    private static Condition crashLoop(int version, VersionScaling scaling) {
        Backoff backoff = scaling.backoff;
        String message = switch (scaling.lastFailure) {
            case UNSPECIFIED, INTERRUPTED, DEVICE_LOST -> "version %d %s".formatted(version, backoff.explanation());
            // As on a cluster.
            case OUT_OF_MEMORY -> "version %d: %s".formatted(version, backoff.reason());
        };
        return new Condition("Ready", "False", scaling.failureKind().name(), message);
    }

    private static String answers(int version, Optional<VersionScaling> scaling) {
        return "version %d answers requests%s"
                .formatted(
                        version,
                        scaling.filter(failed -> failed.lastFailure == Replica.Failure.OUT_OF_MEMORY)
                                .map(failed -> "; before that, " + failed.backoff.reason())
                                .orElse(""));
    }

    private Optional<VersionScaling> scaling(FunctionRecord record) {
        return autoscaler.scaling(new VersionKey(record.id(), record.latest().number()));
    }
}
