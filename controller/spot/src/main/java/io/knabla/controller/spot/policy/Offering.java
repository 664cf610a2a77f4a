package io.knabla.controller.spot.policy;

import io.knabla.controller.usage.CapacityType;

/** Capacity of one type in one zone, on which a replica can be launched. */
public record Offering(CapacityType capacity, String zone) {
    public static Offering spot(String zone) {
        return new Offering(CapacityType.SPOT, zone);
    }

    public static Offering onDemand(String zone) {
        return new Offering(CapacityType.ON_DEMAND, zone);
    }

    public boolean isSpot() {
        return capacity == CapacityType.SPOT;
    }
}
