package io.knabla.controller.standin;

import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.Replica;
import java.util.List;

/** A platform with these nodes, on which nothing runs. */
public record FixedView(List<Node> nodes) implements ClusterView {
    @Override
    public List<Replica> replicas() {
        return List.of();
    }

    @Override
    public void onChange(Listener listener) {}
}
