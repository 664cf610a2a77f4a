package io.knabla.controller.cluster;

import java.util.List;

/** What runs and on what, whoever decided it: processes of this machine, or pods. */
public interface ClusterView {
    List<Replica> replicas();

    List<Node> nodes();

    /** Called on every change of any replica, in order per replica. */
    void onChange(Listener listener);

    /** Hears a replica's new state. */
    @FunctionalInterface
    interface Listener {
        void changed(Replica replica);
    }
}
