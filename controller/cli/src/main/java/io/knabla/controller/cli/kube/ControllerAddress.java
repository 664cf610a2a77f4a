package io.knabla.controller.cli.kube;

import io.knabla.controller.cli.client.Address;
import java.util.Optional;

/**
 * Address of the controller in a cluster: a port-forward that is opened again when the controller's pod was replaced.
 */
public final class ControllerAddress implements Address {
    private final KubeContext cluster;
    private ControllerConnection door;

    public ControllerAddress(KubeContext cluster) {
        this.cluster = cluster;
        refresh();
    }

    @Override
    public String url() {
        return door.address().toString();
    }

    public Optional<String> token() {
        return door.token();
    }

    @Override
    public void refresh() {
        door = cluster.controller();
    }

    @Override
    public String brokenMessage(String why) {
        return "the connection to the controller in the cluster of context '%1$s' broke (%2$s). See whether its pods run: kubectl get pods -A -l app.kubernetes.io/name=knabla-controller --context %1$s"
                .formatted(cluster.name(), why);
    }
}
