package io.knabla.controller.knative.usage;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.knabla.controller.cost.record.UsageSource;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Knows which pods of workloads and which of their nodes a cluster has, for how long, and what they did. It has synced
 * only while this controller leads; a controller that leads again continues with what the one before recorded.
 *
 * <p>Pods that began and ended while no controller ran are not known: events name neither a pod's labels nor its
 * resources.
 */
public final class ClusterUsage implements UsageSource {
    /** How long ended pods and nodes stay known. */
    static final Duration RETAINED = Duration.ofMinutes(10);

    /** How many ended pods stay known. */
    static final int MOST_ENDED = 10_000;

    private final KnativeView view;
    private final EndEvents events;
    private final Clock clock;
    private final BooleanSupplier leads;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, SeenPod> pods = new HashMap<>();
    private final Map<String, EndedPod> ended = new LinkedHashMap<>();
    private final Map<String, SeenNode> nodes = new HashMap<>();

    /** Uids of nodes that run or ran pods of workloads. */
    private final Set<String> used = new HashSet<>();

    private boolean complete;

    private record EndedPod(ReplicaInterval row, Instant noticed) {}

    private ClusterUsage(KnativeView view, EndEvents events, Clock clock, BooleanSupplier leads) {
        this.view = view;
        this.events = events;
        this.clock = clock;
        this.leads = leads;
    }

    /** @param leads whether this controller is the one that records */
    static ClusterUsage open(KnativeView view, EndEvents events, Clock clock, BooleanSupplier leads) {
        var usage = new ClusterUsage(view, events, clock, leads);
        view.follow(usage.new PodHandler(), usage.new NodeHandler());
        return usage;
    }

    @Override
    public synchronized boolean hasSynced() {
        complete = complete || view.hasSynced() && hasAll(view.podObjects(), pods) && hasAll(view.nodeObjects(), nodes);
        return complete && leads.getAsBoolean();
    }

    private static boolean hasAll(List<? extends HasMetadata> objects, Map<String, ?> known) {
        return objects.stream()
                .allMatch(object -> known.containsKey(object.getMetadata().getUid()));
    }

    /** Nodes made for functions, and those that run or ran one of their pods. */
    @Override
    public synchronized List<NodeInterval> nodes() {
        replicas();
        return nodes.values().stream()
                .filter(seen -> NodeUsage.isForFunctions(seen.node()) || used.contains(seen.uid()))
                .map(SeenNode::interval)
                .toList();
    }

    @Override
    public synchronized List<ReplicaInterval> replicas() {
        forgetOld();
        List<ReplicaInterval> rows = new ArrayList<>();
        for (SeenPod pod : List.copyOf(pods.values())) {
            if (!ended.containsKey(pod.uid())) {
                row(pod).ifPresent(row -> {
                    if (row.end() == ReplicaEnd.RUNNING) {
                        rows.add(row);
                    } else {
                        ended.put(row.id(), new EndedPod(row, clock.instant()));
                    }
                });
            }
            if (pod.gone().isPresent()) {
                pods.remove(pod.uid());
            }
        }
        ended.values().forEach(end -> rows.add(end.row()));
        return rows;
    }

    private Optional<ReplicaInterval> row(SeenPod pod) {
        Optional<SeenNode> node = SeenNode.of(pod.pod(), nodes.values());
        node.ifPresent(seen -> used.add(seen.uid()));
        return pod.interval(
                node.map(SeenNode::uid).orElse(""),
                node.filter(SeenNode::isNoticed).isPresent());
    }

    private void forgetOld() {
        Instant oldest = clock.instant().minus(RETAINED);
        ended.values()
                .removeIf(end -> end.noticed().isBefore(oldest)
                        && !pods.containsKey(end.row().id()));
        var surplus = ended.keySet().iterator();
        for (int left = ended.size(); left > MOST_ENDED; left--) {
            surplus.next();
            surplus.remove();
        }
        nodes.values().removeIf(seen -> seen.gone().filter(oldest::isAfter).isPresent());
        used.retainAll(nodes.keySet());
    }

    @Override
    public boolean covers(String namespace) {
        return view.watches(namespace);
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    private void changed() {
        listeners.forEach(Runnable::run);
    }

    /** A node that still exists goes on: that it ran a pod of a workload may be known from the record only. */
    @Override
    public NodeInterval ended(NodeInterval last, Instant seen) {
        Optional<NodeInterval> known = known(last);
        if (known.isPresent()) {
            return known.get();
        }
        MissedEnd end = events.ofNode(last.name(), last.id());
        return last.during(ended(last.time(), end, seen), end.interrupted() ? NodeEnd.INTERRUPTED : NodeEnd.RELEASED);
    }

    private synchronized Optional<NodeInterval> known(NodeInterval last) {
        Optional<SeenNode> there = Optional.ofNullable(nodes.get(last.id()));
        there.ifPresent(node -> used.add(node.uid()));
        return there.map(SeenNode::interval);
    }

    @Override
    public ReplicaInterval ended(ReplicaInterval last, Instant seen) {
        Optional<ReplicaInterval> known =
                replicas().stream().filter(row -> row.id().equals(last.id())).findFirst();
        if (known.isPresent()) {
            return known.get();
        }
        MissedEnd end = events.ofPod(last.id());
        return last.during(
                ended(last.time(), end, seen), end.interrupted() ? ReplicaEnd.INTERRUPTED : ReplicaEnd.STOPPED);
    }

    @Override
    public synchronized void resumed(Collection<ReplicaInterval> replicas) {
        replicas.forEach(row -> pods.computeIfPresent(row.id(), (_, pod) -> pod.recorded(row.work())));
    }

    /** It was still there when it was seen last, whatever an event says. */
    private static Interval ended(Interval last, MissedEnd end, Instant seen) {
        return Interval.of(
                last.start(),
                Stream.concat(Stream.of(last.start(), seen), end.at().stream())
                        .max(Instant::compareTo)
                        .orElseThrow());
    }

    /** The provider takes a node back: its end will be an interruption. */
    public synchronized void noticed(Node node) {
        nodes.computeIfPresent(NodeUsage.uid(node), (_, seen) -> seen.noticed());
    }

    /** Whether the node was added, and not forgotten yet. */
    synchronized boolean knows(Node node) {
        return nodes.containsKey(NodeUsage.uid(node));
    }

    /** Ready pods, as they were seen last. */
    synchronized List<Pod> readyPods() {
        return pods.values().stream()
                .map(SeenPod::pod)
                .filter(pod -> PodStatusReader.ready(pod).isPresent() && !PodStatusReader.isDeleted(pod))
                .toList();
    }

    /**
     * @param run container id of the replica that has these totals
     * @param startPhases of its start
     */
    synchronized void measured(String uid, String run, ReplicaTotals totals, Map<String, Duration> startPhases) {
        pods.computeIfPresent(uid, (_, pod) -> pod.started(startPhases).scraped(run, totals, clock.instant()));
    }

    /** When an object was deleted, to the second as all times of Kubernetes. */
    private Instant deletedAt(HasMetadata object, boolean unseen) {
        Optional<Instant> planned =
                Optional.ofNullable(object.getMetadata().getDeletionTimestamp()).map(Instant::parse);
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        return planned.filter(at -> unseen && at.isBefore(now)).orElse(now);
    }

    private final class PodHandler implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            update(pod);
            changed();
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            if (!before.getMetadata().getUid().equals(pod.getMetadata().getUid())) {
                onDelete(before, true);
            }
            update(pod);
            if (!PodStatusReader.scheduled(before).equals(PodStatusReader.scheduled(pod))
                    || PodEnd.of(pod, Optional.empty(), false).isPresent()) {
                changed();
            }
        }

        private void update(Pod pod) {
            synchronized (ClusterUsage.this) {
                pods.compute(
                        pod.getMetadata().getUid(), (_, seen) -> seen == null ? SeenPod.of(pod) : seen.updated(pod));
            }
        }

        @Override
        public void onDelete(Pod pod, boolean unseen) {
            update(pod);
            synchronized (ClusterUsage.this) {
                pods.computeIfPresent(pod.getMetadata().getUid(), (_, seen) -> seen.deleted(deletedAt(pod, unseen)));
            }
            changed();
        }
    }

    private final class NodeHandler implements ResourceEventHandler<Node> {
        @Override
        public void onAdd(Node node) {
            update(node);
            changed();
        }

        @Override
        public void onUpdate(Node before, Node node) {
            if (!NodeUsage.uid(before).equals(NodeUsage.uid(node))) {
                onDelete(before, true);
            }
            update(node);
            if (NodeUsage.isEnding(node) && !NodeUsage.isEnding(before)) {
                askEvents(node, UnaryOperator.identity());
            }
        }

        private void update(Node node) {
            synchronized (ClusterUsage.this) {
                nodes.merge(NodeUsage.uid(node), SeenNode.of(node), (seen, _) -> seen.updated(node));
            }
        }

        @Override
        public void onDelete(Node node, boolean unseen) {
            update(node);
            Instant at = deletedAt(node, unseen);
            askEvents(node, seen -> seen.deleted(at));
        }

        /**
         * Asks on another thread, since handlers of the informer must return at once. A deleted node is told as ended
         * with the answer: what ended is recorded once.
         */
        private void askEvents(Node node, UnaryOperator<SeenNode> then) {
            Thread.startVirtualThread(() -> {
                boolean noticed = events.ofNode(node.getMetadata().getName(), NodeUsage.uid(node))
                        .interrupted();
                synchronized (ClusterUsage.this) {
                    nodes.computeIfPresent(
                            NodeUsage.uid(node), (_, seen) -> then.apply(noticed ? seen.noticed() : seen));
                }
                changed();
            });
        }
    }
}
