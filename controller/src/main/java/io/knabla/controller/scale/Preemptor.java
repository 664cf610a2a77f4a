package io.knabla.controller.scale;

import static java.lang.System.Logger.Level.INFO;

import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.scale.Preemption.Eviction;
import io.knabla.controller.scale.Preemption.IdleReplica;
import io.knabla.controller.scale.Preemption.Pending;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Stops the idle replicas that {@link Preemption} selects. Used by the autoscaler's thread only. */
final class Preemptor {
    /** How often to look for idle replicas while versions wait. */
    static final Duration PERIOD = Duration.ofMillis(200);

    static final Comparator<VersionScaling> BY_PENDING =
            Comparator.comparing(version -> version.pendingSince.orElse(Instant.MAX));

    private static final System.Logger LOG = System.getLogger(Preemptor.class.getName());

    private final Cluster cluster;
    private final Collection<VersionScaling> versions;

    /** Replicas that drain for this reason: their slots are about to become free. */
    private final Set<String> evicted = new HashSet<>();

    /** @param versions a view of all */
    Preemptor(Cluster cluster, Collection<VersionScaling> versions) {
        this.cluster = cluster;
        this.versions = versions;
    }

    /** Whether another version waits for a slot of this node for its first replica. */
    boolean awaited(String node, VersionScaling except) {
        return cluster.nodes().stream()
                .filter(one -> one.name().equals(node))
                .anyMatch(one ->
                        pending().anyMatch(other -> other != except && Placement.allows(other.version.spec(), one)));
    }

    private Stream<VersionScaling> pending() {
        return versions.stream().filter(VersionScaling::pending).sorted(BY_PENDING);
    }

    /**
     * Returns whether any version is pending.
     *
     * @param minimum replicas that a version keeps
     */
    boolean makeRoom(ToIntFunction<VersionScaling> minimum, Instant now) {
        List<Pending> demand = pending()
                .map(version -> new Pending(version.key, version.version.spec()))
                .toList();
        if (!demand.isEmpty()) {
            evict(demand, minimum, now);
        }
        return !demand.isEmpty();
    }

    private void evict(List<Pending> demand, ToIntFunction<VersionScaling> minimum, Instant now) {
        List<Replica> replicas = cluster.replicas();
        Map<String, Node> nodes = cluster.nodes().stream().collect(Collectors.toMap(Node::name, Function.identity()));
        List<Node> freeing = replicas.stream()
                .filter(replica -> replica.state() == Replica.State.DRAINING && evicted.contains(replica.id()))
                .map(replica -> nodes.get(replica.node()))
                .toList();
        List<IdleReplica> idle = versions.stream()
                .filter(version -> version.load.current() == 0)
                .flatMap(version -> surplus(version, minimum.applyAsInt(version), replicas)
                        .map(replica -> idle(version, replica, nodes, now)))
                .toList();
        for (Eviction eviction : Preemption.decide(demand, freeing, idle)) {
            IdleReplica victim = eviction.replica();
            LOG.log(INFO, "stopping {0}: {1}", victim.id(), eviction.reason());
            versions.stream()
                    .filter(version -> version.key.equals(victim.version()))
                    .forEach(version -> version.yielding = true);
            evicted.add(victim.id());
            cluster.stop(victim.id());
        }
    }

    void ended(Replica replica) {
        evicted.remove(replica.id());
    }

    private static Stream<Replica> surplus(VersionScaling version, int minimum, List<Replica> replicas) {
        List<Replica> running = replicas.stream()
                .filter(version::owns)
                .filter(Autoscaler::isRunning)
                .toList();
        return running.stream()
                .filter(replica -> replica.state() == Replica.State.READY)
                .sorted(Comparator.comparing(Replica::started, Comparator.reverseOrder()))
                .limit(Math.max(0, running.size() - minimum));
    }

    private static IdleReplica idle(VersionScaling version, Replica replica, Map<String, Node> nodes, Instant now) {
        return new IdleReplica(replica.id(), version.key, nodes.get(replica.node()), version.load.idleFor(now));
    }
}
