package io.knabla.controller.knative.interruption;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionListeners;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.knative.InterruptionNeeds;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.capacity.AvailableCapacity;
import io.knabla.controller.knative.capacity.ClusterNode;
import io.knabla.controller.knative.capacity.SpotRoom;
import io.knabla.controller.knative.interruption.DrainBudgets.RevisionKey;
import io.knabla.controller.knative.interruption.Handover.Move;
import io.knabla.controller.knative.signal.InterruptionTaint;
import io.knabla.controller.knative.signal.NodeTaints;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.platform.VersionKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Moves workloads off nodes that are taken back or lost, while this controller leads: taints the node, has replacements
 * started, and evicts the replicas. All state that a next leader needs is in the taints.
 */
public final class NodeInterruptions implements InterruptionNeeds, Lifecycle {
    private static final System.Logger LOG = System.getLogger(NodeInterruptions.class.getName());
    private static final Duration ROUNDS = Duration.ofMillis(300);

    /** An eviction is shown by the watch sooner; a refused one is tried again after this time. */
    private static final Duration EVICTION = Duration.ofSeconds(5);

    /** After a refusal of the API server. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final KnativeView view;
    private final CapacitySignals signals;
    private final InterruptionCalls calls;
    private final MoveReports reports;
    private final DrainHolds holds;
    private final InstantSource clock;
    private final BooleanSupplier leads;
    private final NodeProbes probes = new NodeProbes();
    private final NodeWatch watch;
    private final SpotShortage shortage;
    private final Spreading spreading = new Spreading();
    private final Runnable refused;
    private final boolean acts;
    private final Map<String, Instant> evicted = new HashMap<>();
    private final FunctionListeners listeners = new FunctionListeners();
    private final PeriodicTask task = new PeriodicTask("knabla-interruptions", "move replicas off nodes", this::turn);

    private Instant paused = Instant.MIN;
    private String told = "";
    private volatile Map<VersionKey, Integer> minimums = Map.of();
    private volatile Map<FunctionId, SpotRoom> rooms = Map.of();

    /**
     * @param block shortest time for which a function stays off spot capacity that had no room for it
     * @param acts false to leave interruptions to Kubernetes
     */
    record Options(Duration block, boolean acts) {}

    /**
     * Carries decisions out.
     *
     * @param refused called after the API server has refused a call
     */
    record Actions(InterruptionCalls calls, MoveReports reports, DrainHolds holds, Runnable refused) {}

    NodeInterruptions(
            KnativeView view,
            CapacitySignals signals,
            Actions actions,
            InstantSource clock,
            BooleanSupplier leads,
            Options options) {
        this.view = view;
        this.signals = signals;
        this.calls = actions.calls();
        this.reports = actions.reports();
        this.holds = actions.holds();
        this.refused = actions.refused();
        this.clock = clock;
        this.leads = leads;
        this.watch = new NodeWatch(calls::renewed);
        this.shortage = new SpotShortage(options.block());
        this.acts = options.acts();
    }

    @Override
    public void start() {
        task.start(Duration.ZERO, ROUNDS);
    }

    @Override
    public int minimum(FunctionId function, int version) {
        return minimums.getOrDefault(new VersionKey(function, version), 0);
    }

    @Override
    public SpotRoom spotRoom(FunctionId function) {
        return rooms.getOrDefault(function, SpotRoom.YES);
    }

    @Override
    public Runnable onChange(Consumer<FunctionId> listener) {
        return listeners.add(listener);
    }

    private void turn() {
        try {
            if (!clock.instant().isBefore(paused)) {
                round();
                told = "";
            }
        } catch (KubernetesClientException failed) {
            paused = clock.instant().plus(PAUSE);
            refused.run();
            tellOnce("replicas stay on nodes that are taken back: " + failed.getMessage());
        }
    }

    private void tellOnce(String failure) {
        if (!failure.equals(told)) {
            told = failure;
            LOG.log(WARNING, failure);
        }
    }

    void round() {
        if (!leads.getAsBoolean() || !view.hasSynced()) {
            shortage.clear();
            spreading.clear();
            publish(Map.of(), Map.of());
            return;
        }
        Instant now = clock.instant();
        if (!acts) {
            holds.releaseAll(now);
            return;
        }
        // Once, so that every pod of the one list is in the other.
        List<Pod> objects = view.podObjects();
        List<RunningPod> pods =
                objects.stream().flatMap(pod -> RunningPod.of(pod).stream()).toList();
        Map<String, InterruptionTaint> closed = close(pods, lost(pods, now), now);
        List<Node> open =
                view.nodeObjects().stream().filter(node -> isOpen(node, closed)).toList();
        boolean openSpot = open.stream().anyMatch(NodeInterruptions::isSpot);
        Handover plan = Handover.of(pods, closed, openSpot, shortage.routedAway(now), now);
        shortage.round(plan.withoutSpot(), plan.onSpot(), openSpot, now);
        spread(pods, open, now);
        publish(largest(plan.minimums(), spreading.minimums()), shortage.rooms());
        plan.moves().forEach(move -> evict(move, now));
        Set<RevisionKey> moved =
                plan.moves().stream().map(move -> RevisionKey.of(move.pod())).collect(Collectors.toSet());
        holds.round(pods, objects, closed, moved, now);
        reports.explain(
                pods,
                view.podObjects().stream()
                        .map(pod -> pod.getMetadata().getName())
                        .toList(),
                now);
        evicted.values().removeIf(time -> time.plus(EVICTION).isBefore(now));
    }

    private void spread(List<RunningPod> pods, List<Node> open, Instant now) {
        switch (spreading.round(pods, Crowding.of(pods, Crowding.alike(open)), now)) {
            case Spreading.Change.Nothing _ -> {}
            case Spreading.Change.Started(Spreading.Attempt attempt) -> reports.spreads(attempt, now);
            case Spreading.Change.Spread(Spreading.Attempt attempt) -> reports.spread(attempt);
            case Spreading.Change.Failed(Spreading.Attempt attempt) -> reports.notSpread(attempt);
        }
    }

    private static Map<VersionKey, Integer> largest(Map<VersionKey, Integer> some, Map<VersionKey, Integer> others) {
        Map<VersionKey, Integer> all = new HashMap<>(some);
        others.forEach((version, replicas) -> all.merge(version, replicas, Math::max));
        return all;
    }

    private Set<String> lost(List<RunningPod> pods, Instant now) {
        Set<String> ready =
                pods.stream().filter(RunningPod::ready).map(RunningPod::uid).collect(Collectors.toSet());
        Map<String, Boolean> answers = probes.round(view.podObjects().stream()
                .filter(pod -> ready.contains(pod.getMetadata().getUid()) && hasAddress(pod))
                .toList());
        return watch.lost(answers, now);
    }

    private static boolean hasAddress(Pod pod) {
        return pod.getStatus().getPodIP() != null;
    }

    /** Returns the taints as they are after the changes that this round makes. */
    private Map<String, InterruptionTaint> close(List<RunningPod> pods, Set<String> lost, Instant now) {
        Set<String> used = pods.stream().map(RunningPod::node).collect(Collectors.toSet());
        Set<String> usedBySpot = pods.stream()
                .filter(pod -> pod.slot().isSpot())
                .map(RunningPod::node)
                .collect(Collectors.toSet());
        Map<String, InterruptionTaint> closed = new HashMap<>();
        for (Node node : view.nodeObjects()) {
            String name = node.getMetadata().getName();
            Optional<InterruptionTaint> own = InterruptionTaint.of(node);
            own.ifPresent(taint -> closed.put(name, taint));
            var facts = new NodeClosure.Facts(
                    own,
                    NodeTaints.announced(node, now),
                    signals.of(name),
                    lost.contains(name),
                    ClusterNode.ready(node),
                    used.contains(name),
                    holds.limit().filter(_ -> isCordoned(node) && usedBySpot.contains(name)));
            switch (NodeClosure.of(facts, now)) {
                case NodeClosure.Keep() -> {}
                case NodeClosure.Close(InterruptionTaint taint) -> {
                    LOG.log(INFO, "node {0} takes no new replicas: {1}, {2}", name, taint.kind(), taint.cause());
                    // Replicas that leave an open node might return to it.
                    if (calls.taint(node, Optional.of(taint))) {
                        closed.put(name, taint);
                    }
                }
                case NodeClosure.Reopen() -> {
                    LOG.log(INFO, "node {0} takes replicas again", name);
                    closed.remove(name);
                    signals.of(name).ifPresent(signals::forget);
                    calls.taint(node, Optional.empty());
                }
            }
        }
        return closed;
    }

    private static boolean isCordoned(Node node) {
        return node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
    }

    private boolean isOpen(Node node, Map<String, InterruptionTaint> closed) {
        String name = node.getMetadata().getName();
        return !closed.containsKey(name) && signals.of(name).isEmpty() && AvailableCapacity.isOpen(node);
    }

    private static boolean isSpot(Node node) {
        return ClusterNode.of(node).capacityType() == CapacityType.Spot;
    }

    private void evict(Move move, Instant now) {
        if (evicted.putIfAbsent(move.pod().uid(), now) != null) {
            return;
        }
        holds.release(move.pod());
        if (calls.evict(move.pod(), move.grace())) {
            reports.moved(move, view.node(move.pod().node()), now);
        }
    }

    private void publish(Map<VersionKey, Integer> least, Map<FunctionId, SpotRoom> room) {
        Set<FunctionId> changed = changed(rooms, room);
        changed(minimums, least).forEach(version -> changed.add(version.function()));
        minimums = least;
        rooms = room;
        changed.forEach(listeners::tell);
    }

    private static <K, V> Set<K> changed(Map<K, V> before, Map<K, V> after) {
        Set<K> keys = new HashSet<>(before.keySet());
        keys.addAll(after.keySet());
        keys.removeIf(key -> Objects.equals(before.get(key), after.get(key)));
        return keys;
    }

    @Override
    public void close() {
        task.close();
        holds.close();
    }
}
