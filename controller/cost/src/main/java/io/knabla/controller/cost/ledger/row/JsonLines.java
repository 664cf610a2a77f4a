package io.knabla.controller.cost.ledger.row;

import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestMinute;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.Counters;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Converts rows to lines and back. Defaults of missing enumerations: capacity {@code ON_DEMAND}, the dearer one; end
 * {@code RUNNING} without and {@code RELEASED} or {@code STOPPED} with an end time; start {@code COLD}.
 */
final class JsonLines {
    private JsonLines() {}

    static JsonLine of(UsageRecord row) {
        return switch (row) {
            case UsageRecord.Node(NodeInterval node, long revision) -> node(node, revision);
            case UsageRecord.Replica(ReplicaInterval replica, long revision) -> replica(replica, revision);
            case UsageRecord.Requests requests -> requests(requests);
        };
    }

    static UsageRecord row(JsonLine line) {
        return switch (line) {
            case JsonLine.NodeLine node -> new UsageRecord.Node(node(node), node.revision());
            case JsonLine.ReplicaLine replica -> new UsageRecord.Replica(replica(replica), replica.revision());
            case JsonLine.RequestsLine requests -> new UsageRecord.Requests(requests(requests), requests.revision());
        };
    }

    private static JsonLine node(NodeInterval node, long revision) {
        return new JsonLine.NodeLine(
                RowJson.FIRST,
                node.id(),
                revision,
                ColumnValues.text(node.time().start()),
                node.time().end().map(ColumnValues::text).orElse(null),
                node.end().name(),
                node.name(),
                node.pool(),
                node.capacity().name(),
                node.instanceType(),
                node.region(),
                node.zoneId(),
                ColumnValues.text(node.size().vcpus()),
                node.size().memoryBytes(),
                node.size().gpus());
    }

    private static NodeInterval node(JsonLine.NodeLine line) {
        Interval time = ColumnValues.interval(line.startTime(), line.endTime());
        NodeEnd end = time.end().isPresent() ? NodeEnd.RELEASED : NodeEnd.RUNNING;
        return new NodeInterval(
                ColumnValues.orEmpty(line.id()),
                ColumnValues.orEmpty(line.name()),
                ColumnValues.orEmpty(line.pool()),
                ColumnValues.constant(line.capacity(), CapacityType.ON_DEMAND),
                ColumnValues.orEmpty(line.instanceType()),
                ColumnValues.orEmpty(line.region()),
                ColumnValues.orEmpty(line.zoneId()),
                new Resources(ColumnValues.decimal(line.vcpus()), line.memoryBytes(), ColumnValues.orZero(line.gpus())),
                time,
                ColumnValues.constant(line.ended(), end));
    }

    private static JsonLine replica(ReplicaInterval replica, long revision) {
        Resources requested = replica.requested();
        Resources used = replica.used();
        Work work = replica.work();
        return new JsonLine.ReplicaLine(
                version(work),
                replica.id(),
                revision,
                ColumnValues.text(replica.time().start()),
                replica.time().end().map(ColumnValues::text).orElse(null),
                replica.end().name(),
                replica.namespace(),
                replica.function(),
                replica.version(),
                replica.node(),
                ColumnValues.text(requested.vcpus()),
                requested.memoryBytes(),
                requested.gpus(),
                ColumnValues.text(used.vcpus()),
                used.memoryBytes(),
                used.gpus(),
                replica.startKind().name(),
                nanos(replica.startPhases()),
                work.succeeded(),
                work.failed(),
                work.retried(),
                work.elements(),
                work.busyMillis(),
                counters(work));
    }

    private static ReplicaInterval replica(JsonLine.ReplicaLine line) {
        Interval time = ColumnValues.interval(line.startTime(), line.endTime());
        ReplicaEnd end = time.end().isPresent() ? ReplicaEnd.STOPPED : ReplicaEnd.RUNNING;
        return new ReplicaInterval(
                ColumnValues.orEmpty(line.id()),
                ColumnValues.orEmpty(line.namespace()),
                ColumnValues.orEmpty(line.function()),
                line.version(),
                ColumnValues.orEmpty(line.node()),
                new Resources(
                        ColumnValues.decimal(line.requestedVcpus()),
                        line.requestedMemoryBytes(),
                        ColumnValues.orZero(line.requestedGpus())),
                new Resources(
                        ColumnValues.decimal(line.usedVcpus()),
                        line.usedMemoryBytes(),
                        ColumnValues.orZero(line.usedGpus())),
                time,
                ColumnValues.constant(line.startKind(), StartKind.COLD),
                durations(line.startPhases()),
                work(line),
                ColumnValues.constant(line.ended(), end));
    }

    private static JsonLine requests(UsageRecord.Requests row) {
        RequestMinute minute = row.minute();
        Work work = minute.work();
        return new JsonLine.RequestsLine(
                version(work),
                row.id(),
                row.revision(),
                ColumnValues.text(minute.minute()),
                minute.namespace(),
                minute.function(),
                minute.version(),
                minute.replica(),
                work.succeeded(),
                work.failed(),
                work.retried(),
                work.elements(),
                work.busyMillis(),
                counters(work));
    }

    private static RequestMinute requests(JsonLine.RequestsLine line) {
        return new RequestMinute(
                ColumnValues.orEmpty(line.namespace()),
                ColumnValues.orEmpty(line.function()),
                line.version(),
                ColumnValues.orEmpty(line.replica()),
                ColumnValues.instant(line.startTime()),
                work(line));
    }

    private static Work work(JsonLine.WithWork line) {
        return new Work(
                line.succeeded(),
                line.failed(),
                line.retried(),
                line.elements(),
                line.busyMillis(),
                Counters.of(line.counters()));
    }

    /** Programs of version 1 merge a row without counters without loss. */
    private static int version(Work work) {
        return work.counters().isEmpty() ? RowJson.FIRST : RowJson.VERSION;
    }

    /** Null leaves the field out. */
    private static Map<String, Long> counters(Work work) {
        return work.counters().isEmpty() ? null : work.counters().byName();
    }

    private static Map<String, Long> nanos(Map<String, Duration> phases) {
        return phases.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, phase -> ColumnValues.nanos(phase.getValue())));
    }

    private static Map<String, Duration> durations(Map<String, Long> phases) {
        return phases == null
                ? Map.of()
                : phases.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, phase -> Duration.ofNanos(phase.getValue())));
    }
}
