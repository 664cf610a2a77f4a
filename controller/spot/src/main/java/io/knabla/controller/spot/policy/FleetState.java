package io.knabla.controller.spot.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * All that a policy knows when it decides.
 *
 * @param coldStart time from the launch of a replica until it is ready, as measured
 * @param zones in a fixed order; one at least
 * @param events since the last decision, in order of time
 */
public record FleetState(
        Instant now,
        Demand demand,
        Duration coldStart,
        List<ZoneOffer> zones,
        List<Replica> replicas,
        List<CapacityEvent> events) {
    public FleetState {
        if (zones.isEmpty()) {
            throw new IllegalArgumentException("a fleet needs one zone at least, but there is none");
        }
        zones = List.copyOf(zones);
        replicas = List.copyOf(replicas);
        events = List.copyOf(events);
    }

    public int target() {
        return demand.target();
    }

    /** Spot replicas that a plan may count on, the oldest first. */
    public List<Replica> spot() {
        return live(true);
    }

    /** On-demand replicas that a plan may count on, the oldest first. */
    public List<Replica> onDemand() {
        return live(false);
    }

    private List<Replica> live(boolean spot) {
        return replicas.stream()
                .filter(replica -> replica.isLive() && replica.isSpot() == spot)
                .sorted(Comparator.comparing(Replica::launchedAt))
                .toList();
    }

    /** The zone whose capacity on demand costs least. */
    public String onDemandZone() {
        return zones.stream()
                .min(Comparator.comparingDouble(ZoneOffer::onDemandPrice))
                .orElseThrow()
                .zone();
    }
}
