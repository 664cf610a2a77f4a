package io.knabla.controller.local;

import io.knabla.controller.config.ReplicaAccess;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.machine.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Paths, nodes and timeouts of the local cluster.
 *
 * @param home {@code KNABLA_HOME}; nothing is written outside it
 * @param replicaArgs the Java argument file that starts a replica
 * @param java the java command
 * @param store the object store, as the replica opens it
 * @param access by which replicas call other functions
 * @param startDeadline from process start to ready
 * @param drainGrace how long a stopping replica may finish requests; at most its function's timeout
 */
public record LocalSettings(
        Path home,
        Path replicaArgs,
        Path java,
        StoreAccess store,
        List<Node> nodes,
        ReplicaAccess access,
        Duration startDeadline,
        Duration drainGrace) {
    public LocalSettings {
        nodes = List.copyOf(nodes);
    }

    Path run() {
        return home.resolve("run");
    }

    Path cache() {
        return home.resolve("cache");
    }

    Path logs() {
        return home.resolve("logs");
    }
}
