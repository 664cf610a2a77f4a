package io.knabla.controller.cluster;

import java.util.List;
import java.util.Optional;

/** Runs replicas. It never decides how many or where; it starts, stops and tells what is. */
public interface Cluster {
    /** Starts one replica and answers at once; its state is followed by {@link #onChange}. */
    Replica start(ReplicaRequest request);

    /** Drains and ends a replica; idempotent, answers at once. */
    void stop(String replica);

    List<Replica> replicas();

    List<Node> nodes();

    /** The last lines that a replica wrote, or empty when it is unknown. */
    Optional<LogFile> logs(String replica);

    /** Called on every change of any replica, in order per replica. */
    void onChange(Listener listener);

    /** Hears a replica's new state. */
    @FunctionalInterface
    interface Listener {
        void changed(Replica replica);
    }
}
