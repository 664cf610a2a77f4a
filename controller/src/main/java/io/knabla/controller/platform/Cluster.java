package io.knabla.controller.platform;

/** Starts and stops replicas on a platform where Knabla itself decides how many and where. */
public interface Cluster extends ClusterView {
    /** Starts one replica without waiting; {@link #onChange} reports its state. */
    Replica start(ReplicaRequest request);

    /** Drains and stops a replica without waiting; idempotent. */
    void stop(String replica);
}
