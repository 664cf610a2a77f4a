package io.knabla.controller.scale;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.FunctionStatus;
import io.knabla.controller.platform.Replica;
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
        Optional<Backoff> failing =
                scaling(record).map(version -> version.backoff).filter(Backoff::failing);
        if (readyVersion.filter(ready -> ready == latest).isPresent()) {
            return failing.filter(Backoff::failingRepeatedly)
                    .map(backoff -> crashLoop(latest, backoff))
                    .orElseGet(() ->
                            new Condition("Ready", "True", "Ready", "version %d answers requests".formatted(latest)));
        }
        return failing.map(backoff -> crashLoop(latest, backoff))
                .orElseGet(() -> new Condition(
                        "Ready", "Unknown", "Starting", "version %d is started for the first time".formatted(latest)));
    }

    private static Condition crashLoop(int version, Backoff backoff) {
        return new Condition(
                "Ready",
                "False",
                Unavailable.Kind.CrashLoop.name(),
                "version %d %s".formatted(version, backoff.explanation()));
    }

    private Optional<VersionScaling> scaling(FunctionRecord record) {
        return autoscaler.scaling(new VersionKey(record.id(), record.latest().number()));
    }
}
