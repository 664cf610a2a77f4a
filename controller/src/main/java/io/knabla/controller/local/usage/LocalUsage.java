package io.knabla.controller.local.usage;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.record.UsageSource;
import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Workload;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Usage of this machine's virtual nodes and workloads. All of them end with the controller: an interval that an earlier
 * controller left open is closed at its last sign of life.
 */
public final class LocalUsage implements UsageSource {
    /** An ended replica is told for at least this long: the gateway may count its last retry after its end. */
    private static final Duration ENDED_KEPT = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final PlatformRun run;
    private final StartedIntervalFiles notes;
    private final Resources machine;
    private final Runnable stopReplicas;
    private final Map<String, NodeInterval> nodes = new ConcurrentHashMap<>();
    private final Map<String, Integer> slots = new ConcurrentHashMap<>();
    private final Map<String, WorkloadUsage> workloads = new ConcurrentHashMap<>();

    /** Nodes and replicas that an earlier controller noted and did not record, until they are recorded. */
    private final Map<String, NodeInterval> leftNodes = new ConcurrentHashMap<>();

    private final Map<String, ReplicaInterval> left = new ConcurrentHashMap<>();

    /** Nodes of this run that are noted and not recorded. */
    private final Set<String> notedNodes = ConcurrentHashMap.newKeySet();

    /** Ended workloads whose end is durable. */
    private final Set<String> endsRecorded = ConcurrentHashMap.newKeySet();

    /** Names of nodes that are about to be taken back, or were. */
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** Intervals of nodes that were taken back, until their end is recorded for certain. */
    private final Set<NodeInterval> takenNodes = ConcurrentHashMap.newKeySet();

    private final AtomicInteger returns = new AtomicInteger();

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Optional<Instant> ended = Optional.empty();

    private LocalUsage(
            InstantSource clock,
            PlatformRun run,
            StartedIntervalFiles notes,
            Resources machine,
            Runnable stopReplicas) {
        this.clock = clock;
        this.run = run;
        this.notes = notes;
        this.machine = machine;
        this.stopReplicas = stopReplicas;
    }

    /**
     * Begins a run of the platform.
     *
     * @param folder for files about this run; see {@link #touch}
     * @param machine what a node has whose instance type is not known
     * @param stopReplicas returns when all replicas have ended
     */
    public static LocalUsage open(
            Path folder, List<Node> nodes, Resources machine, InstantSource clock, Runnable stopReplicas) {
        PlatformRun run = PlatformRun.begin(folder.resolve("alive"), clock);
        LocalUsage usage =
                new LocalUsage(clock, run, StartedIntervalFiles.open(folder.resolve("started")), machine, stopReplicas);
        usage.notes.read().forEach(usage::leave);
        for (Node node : nodes) {
            usage.slots.put(node.name(), node.slots());
            usage.begin(node, run.nodeId(node.name()), run.start());
        }
        return usage;
    }

    private void begin(Node node, String id, Instant start) {
        NodeInterval running = VirtualNodes.running(node, id, start, machine);
        nodes.put(node.name(), running);
        notes.write(new UsageRecord.Node(running, 0));
        notedNodes.add(id);
    }

    /** A node is about to be taken back: workloads on it that end from now on were interrupted. */
    public void warned(String node) {
        warned.add(node);
    }

    /** Ends the interval of a node as interrupted. */
    public void takenBack(String node) {
        nodes.computeIfPresent(node, (_, running) -> {
            Instant end = clock.instant();
            takenNodes.add(running.during(endedAt(running.time().start(), end), NodeEnd.INTERRUPTED));
            return null;
        });
        notifyListeners();
    }

    /** Begins another interval of a node that was taken back. */
    public void returned(Node node) {
        warned.remove(node.name());
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        begin(node, run.nodeId(node.name() + '.' + returns.incrementAndGet()), now);
        notifyListeners();
    }

    private void leave(UsageRecord noted) {
        switch (noted) {
            case UsageRecord.Node node -> leftNodes.put(node.id(), ended(node.interval(), node.start()));
            case UsageRecord.Replica replica -> left.put(replica.id(), ended(replica.interval(), replica.start()));
            case UsageRecord.Requests none -> notes.delete(none.id());
        }
    }

    /** To be called each second: a killed platform is known to have been alive until the last call. */
    public void touch() {
        run.touch();
    }

    /** Called before the process of a workload starts. */
    public void starting(Workload workload, Instant started) {
        String node = Optional.ofNullable(nodes.get(workload.node()))
                .map(NodeInterval::id)
                .orElseGet(() -> run.nodeId(workload.node()));
        WorkloadUsage usage = WorkloadUsage.starting(workload, node, requested(workload), started);
        notes.write(new UsageRecord.Replica(usage.interval(started), 0));
        run.touch();
        workloads.put(workload.id(), usage);
        notifyListeners();
    }

    /** What its owner declares; of what it does not, a slot's share of the node. */
    private Resources requested(Workload workload) {
        FunctionSpec.Resources declared = workload.resources();
        Resources size = Optional.ofNullable(nodes.get(workload.node()))
                .map(NodeInterval::size)
                .orElse(Resources.NONE);
        int shares = slots.getOrDefault(workload.node(), 1);
        return new Resources(
                declared.milliCpu()
                        .map(milli -> BigDecimal.valueOf(milli, 3))
                        .orElseGet(() -> size.vcpus().divide(BigDecimal.valueOf(shares), 6, RoundingMode.DOWN)),
                declared.memoryBytes().orElse(size.memoryBytes() / shares),
                BigDecimal.valueOf(declared.gpu()));
    }

    public void changed(Replica replica) {
        update(replica.id(), usage -> usage.with(replica, isWarned(usage), clock.instant()));
    }

    /** Ends the interval of a workload that is no replica. */
    public void ended(String workload, ReplicaEnd end) {
        update(workload, usage -> usage.ended(end, isWarned(usage), clock.instant()));
    }

    private boolean isWarned(WorkloadUsage usage) {
        return warned.contains(usage.workload().node());
    }

    public void reported(String workload, ReplicaTotals totals) {
        update(workload, usage -> usage.with(totals));
    }

    /** Counts a request that was sent to another replica after this one. */
    public void retried(String replica) {
        update(replica, WorkloadUsage::withRetry);
    }

    private void update(String workload, UnaryOperator<WorkloadUsage> change) {
        if (workloads.computeIfPresent(workload, (_, usage) -> change.apply(usage)) != null) {
            notifyListeners();
        }
    }

    private void notifyListeners() {
        listeners.forEach(Runnable::run);
    }

    @Override
    public boolean hasSynced() {
        return true;
    }

    @Override
    public List<NodeInterval> nodes() {
        run.touch();
        Stream<NodeInterval> own = nodes.values().stream()
                .map(node -> ended.map(end -> node.during(endedAt(node.time().start(), end), NodeEnd.RELEASED))
                        .orElse(node));
        return Stream.of(own, takenNodes.stream(), leftNodes.values().stream())
                .flatMap(Function.identity())
                .toList();
    }

    @Override
    public List<ReplicaInterval> replicas() {
        Instant now = clock.instant();
        return Stream.concat(workloads.values().stream().map(usage -> usage.interval(now)), left.values().stream())
                .toList();
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public NodeInterval ended(NodeInterval last, Instant seen) {
        return last.during(endedAt(last.time().start(), lastAlive(last.id(), seen)), NodeEnd.RELEASED);
    }

    /** The controller's death killed it, with the requests that it had. */
    @Override
    public ReplicaInterval ended(ReplicaInterval last, Instant seen) {
        return last.during(endedAt(last.time().start(), lastAlive(last.node(), seen)), ReplicaEnd.FAILED);
    }

    private Instant lastAlive(String node, Instant seen) {
        return run.lastAlive(node).filter(seen::isBefore).orElse(seen);
    }

    private static Interval endedAt(Instant start, Instant end) {
        return Interval.of(start, end.isBefore(start) ? start : end.truncatedTo(ChronoUnit.MICROS));
    }

    @Override
    public void recorded(Collection<ReplicaInterval> recorded) {
        // All of these were told before this call, so the ledger has them.
        for (Collection<String> ids : List.of(left.keySet(), leftNodes.keySet(), notedNodes)) {
            ids.forEach(notes::delete);
            ids.clear();
        }
        recorded.forEach(replica -> notes.delete(replica.id()));
        Instant old = clock.instant().minus(ENDED_KEPT);
        takenNodes.removeIf(node -> node.time().end().filter(old::isAfter).isPresent());
        recorded.stream()
                .filter(replica -> replica.time().end().isPresent())
                .forEach(replica -> endsRecorded.add(replica.id()));
        workloads
                .values()
                .removeIf(usage -> usage.ended().filter(old::isAfter).isPresent()
                        && endsRecorded.remove(usage.workload().id()));
    }

    @Override
    public void shutDown() {
        stopReplicas.run();
        ended = Optional.of(clock.instant());
    }
}
