package io.knabla.controller.cli.verbs.deploy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.models.FunctionFile;
import io.knabla.controller.cli.verbs.traffic.PresentTraffic;
import java.time.Duration;
import java.util.Optional;

/** Deploys a function to a platform. */
interface FunctionDeployer {
    /**
     * Deploys the function and waits until it is ready.
     *
     * @param patience longest time to wait; zero to return at once
     * @return {@code name, namespace, version, unit, url, result}, and {@code warnings}
     */
    ObjectNode deploy(FunctionFile function, Duration patience);

    /** The split in force; empty if there is no such function. */
    Optional<PresentTraffic> traffic(FunctionFile function);
}
