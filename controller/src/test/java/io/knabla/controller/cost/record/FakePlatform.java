package io.knabla.controller.cost.record;

import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A platform of one node, whose replicas a test starts and ends. */
final class FakePlatform implements UsageSource {
    static final Resources SIZE = new Resources(new BigDecimal("4"), 16L << 30, 0);

    volatile boolean synced = true;
    volatile String namespace = "default";
    volatile Runnable whenAsked = () -> {};
    final List<Runnable> listeners = new ArrayList<>();
    final Map<String, ReplicaInterval> replicas = new ConcurrentHashMap<>();
    final List<String> recorded = new ArrayList<>();
    final Map<String, Work> resumed = new ConcurrentHashMap<>();
    private volatile NodeInterval node;

    FakePlatform(Instant start) {
        node = new NodeInterval(
                "node@" + start,
                "node",
                "cpu",
                CapacityType.SPOT,
                "local",
                "",
                "local",
                SIZE,
                new Interval(start, Optional.empty()),
                NodeEnd.RUNNING);
    }

    void start(String id, Instant start) {
        replicas.put(id, replica(id, new Interval(start, Optional.empty()), Work.NONE, ReplicaEnd.RUNNING));
    }

    void work(String id, Work more) {
        replicas.computeIfPresent(
                id, (_, one) -> replica(id, one.time(), one.work().plus(more), one.end()));
    }

    void end(String id, Instant end) {
        replicas.computeIfPresent(
                id,
                (_, one) -> one.end() == ReplicaEnd.RUNNING
                        ? replica(id, endedAt(one.time().start(), end), one.work(), ReplicaEnd.STOPPED)
                        : one);
    }

    private static Interval endedAt(Instant start, Instant end) {
        return Interval.of(start, end.isBefore(start) ? start : end);
    }

    /** As a source does that was restarted: it knows the replicas, but not yet what they did. */
    void forgetWork() {
        replicas.replaceAll((id, one) -> replica(id, one.time(), Work.NONE, one.end()));
    }

    private ReplicaInterval replica(String id, Interval time, Work work, ReplicaEnd end) {
        return new ReplicaInterval(
                id,
                namespace,
                "add-sub",
                1,
                node.id(),
                SIZE,
                Resources.NONE,
                time,
                StartKind.COLD,
                Map.of("boot", Duration.ofMillis(20)),
                work,
                end);
    }

    @Override
    public boolean hasSynced() {
        return synced;
    }

    @Override
    public List<NodeInterval> nodes() {
        return List.of(node);
    }

    @Override
    public List<ReplicaInterval> replicas() {
        whenAsked.run();
        return List.copyOf(replicas.values());
    }

    @Override
    public boolean covers(String other) {
        return other.equals(namespace);
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    void notifyListeners() {
        listeners.forEach(Runnable::run);
    }

    @Override
    public NodeInterval ended(NodeInterval last, Instant seen) {
        return ended(last, endedAt(last.time().start(), seen));
    }

    private static NodeInterval ended(NodeInterval last, Interval time) {
        return new NodeInterval(
                last.id(),
                last.name(),
                last.pool(),
                last.capacity(),
                last.instanceType(),
                last.region(),
                last.zoneId(),
                last.size(),
                time,
                NodeEnd.RELEASED);
    }

    @Override
    public ReplicaInterval ended(ReplicaInterval last, Instant seen) {
        return replica(last.id(), endedAt(last.time().start(), seen), last.work(), ReplicaEnd.FAILED);
    }

    @Override
    public void resumed(Collection<ReplicaInterval> earlier) {
        earlier.forEach(replica -> resumed.put(replica.id(), replica.work()));
    }

    @Override
    public void recorded(Collection<ReplicaInterval> durable) {
        durable.forEach(replica -> recorded.add(replica.id()));
    }

    @Override
    public void shutDown() {
        Instant end = node.time().start().plusSeconds(3600);
        replicas.keySet().forEach(id -> end(id, end));
        node = ended(node, Interval.of(node.time().start(), end));
    }
}
