package io.knabla.controller.platform;

import io.knabla.controller.machine.Node;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.List;

/** Lists the running replicas and their nodes: processes on this machine, or pods. */
public interface ClusterView {
    List<Replica> replicas();

    List<Node> nodes();

    /** Whether replicas of this pool can have a node, which may have to be brought first. */
    default boolean canHave(Pool pool) {
        return nodes().stream().anyMatch(node -> node.pool() == pool);
    }

    /** Called on every change of any replica, in order per replica. */
    void onChange(Listener listener);

    /** Receives a replica's new state. */
    @FunctionalInterface
    interface Listener {
        void changed(Replica replica);
    }
}
