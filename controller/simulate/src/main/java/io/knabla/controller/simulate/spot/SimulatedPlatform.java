package io.knabla.controller.simulate.spot;

import io.knabla.controller.spot.live.FleetTiming;
import java.time.Duration;
import java.util.Optional;

/** The platform that carries out the decisions of spot policies in a simulation. */
public enum SimulatedPlatform {
    /** None: a plan takes effect at once and as it is, as in papers. */
    None(Optional.empty()),
    /** By the classes that start and stop processes of this machine. */
    Laptop(Optional.of(FleetTiming.LAPTOP)),
    /**
     * By the classes that divide a version between spot and on demand; Knative runs so many, Kubernetes places them.
     */
    Cluster(Optional.of(FleetTiming.CLUSTER));

    private final Optional<FleetTiming> timing;

    SimulatedPlatform(Optional<FleetTiming> timing) {
        this.timing = timing;
    }

    /** Time between two decisions: SkyServe's, unless the platform has its own. */
    public Duration period() {
        return timing.map(FleetTiming::period).orElse(Scenario.Timing.skyServe().tick());
    }
}
