package io.knabla.controller.cluster;

/** Runs replicas where Knabla itself decides how many and where; it only starts and stops them. */
public interface Cluster extends ClusterView {
    /** Starts one replica and answers at once; its state is followed by {@link #onChange}. */
    Replica start(ReplicaRequest request);

    /** Drains and ends a replica; idempotent, answers at once. */
    void stop(String replica);
}
