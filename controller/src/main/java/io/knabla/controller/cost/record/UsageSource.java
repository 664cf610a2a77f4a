package io.knabla.controller.cost.record;

import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * Tells which nodes, replicas and other workloads the platform has, for how long, and what they did. Answers from
 * memory.
 */
public interface UsageSource {
    /**
     * Whether the answers are complete; until then nothing is missing, only not known yet. Nothing is recorded while
     * this is false, so of several controllers only one may answer true.
     */
    boolean hasSynced();

    /** Nodes that run, and those that ended a short time ago. */
    List<NodeInterval> nodes();

    /**
     * Replicas and other workloads that hold resources, and those that ended a short time ago, with what they did until
     * now.
     */
    List<ReplicaInterval> replicas();

    /** Whether the source lists the replicas of a namespace; others are recorded by another controller of the store. */
    default boolean covers(String namespace) {
        return true;
    }

    /** @param listener called after a node or a replica began, worked or ended, on any thread; returns at once */
    void onChange(Runnable listener);

    /**
     * Ends the interval of a node that the platform no more knows, because it ended while no controller ran.
     *
     * @param last as it was recorded last
     * @param seen when it was recorded last
     */
    NodeInterval ended(NodeInterval last, Instant seen);

    /** Ends the interval of a replica that the platform no more knows; see {@link #ended(NodeInterval, Instant)}. */
    ReplicaInterval ended(ReplicaInterval last, Instant seen);

    /**
     * Called before this controller begins to record.
     *
     * @param replicas as an earlier controller recorded them last; it may have known work of theirs that the source
     *     does not
     */
    default void resumed(Collection<ReplicaInterval> replicas) {}

    /** Called when these are durable in the ledger: what the source keeps of them elsewhere may be deleted. */
    default void recorded(Collection<ReplicaInterval> replicas) {}

    /** Called once, at the orderly end of this controller: ends what does not outlive it, before the last answers. */
    default void shutDown() {}
}
