package io.knabla.controller.spot.simulate;

import io.knabla.controller.spot.live.FleetTiming;
import java.time.Duration;
import java.util.Optional;

/** On what decisions of spot policies are carried out in a simulation. */
public enum Platform {
    /** On nothing: a plan takes effect at once and as it is, as in papers. */
    None(Optional.empty()),
    /** By the classes that start and stop processes of this machine. */
    Laptop(Optional.of(FleetTiming.LAPTOP)),
    /**
     * By the classes that divide a version between spot and on demand; Knative runs so many, Kubernetes places them.
     */
    Cluster(Optional.of(FleetTiming.CLUSTER));

    private final Optional<FleetTiming> timing;

    Platform(Optional<FleetTiming> timing) {
        this.timing = timing;
    }

    /** Time between two decisions: SkyServe's, unless the platform has its own. */
    public Duration period() {
        return timing.map(FleetTiming::period).orElse(Scenario.Timing.skyServe().tick());
    }
}
