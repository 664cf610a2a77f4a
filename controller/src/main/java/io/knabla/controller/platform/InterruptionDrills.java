package io.knabla.controller.platform;

import java.time.Duration;

/** Takes virtual nodes back as a provider takes spot nodes back; only on this machine. */
public interface InterruptionDrills {
    /** Announces that the node will be taken back, and does so when the notice ends; zero takes it back at once. */
    void interrupt(String node, Duration notice);

    /** Announces that the node is at a higher risk of an interruption. */
    void rebalance(String node);
}
