package io.knabla.controller.platform;

import java.util.List;
import java.util.function.ObjIntConsumer;

/** Starts and stops replicas on a platform where Knabla itself decides how many and where. */
public interface Cluster extends ClusterView {
    /** What takes a slot of a node now: replicas, and the workloads of other kinds of objects. */
    List<Workload> workloads();

    /** Starts one replica without waiting; {@link #onChange} reports its state. */
    Replica start(ReplicaRequest request);

    /** Drains and stops a replica without waiting; idempotent. */
    void stop(String replica);

    /**
     * Probes the health of a replica at once, because a request to it was not answered. It is
     * {@link Replica.State#UNRESPONSIVE} until it answers the probe, and is killed if it does not answer several.
     */
    void suspect(String replica);

    /**
     * Called when a replica reports another utilization of its capacity, in percent: 100 is all of it, above that
     * something waits in it. Only models whose requests at once do not tell it report theirs.
     */
    default void onUtilization(ObjIntConsumer<String> listener) {}

    /** Counts a request that was sent to another replica after this one. */
    default void retried(String replica) {}
}
