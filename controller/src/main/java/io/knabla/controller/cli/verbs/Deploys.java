package io.knabla.controller.cli.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.models.FunctionFile;
import java.time.Duration;

/** A way to bring a function to a platform. */
interface Deploys {
    /**
     * Brings it, and waits until it is ready.
     *
     * @param patience how long to wait; zero for not at all
     * @return {@code name, namespace, version, unit, url, result}, and {@code warnings}
     */
    ObjectNode deploy(FunctionFile function, Duration patience);
}
