package io.knabla.controller.platform;

import io.knabla.controller.machine.Node;
import java.util.List;

/** Lists the running replicas and their nodes: processes on this machine, or pods. */
public interface ClusterView {
    List<Replica> replicas();

    List<Node> nodes();

    /** Called on every change of any replica, in order per replica. */
    void onChange(Listener listener);

    /** Receives a replica's new state. */
    @FunctionalInterface
    interface Listener {
        void changed(Replica replica);
    }
}
