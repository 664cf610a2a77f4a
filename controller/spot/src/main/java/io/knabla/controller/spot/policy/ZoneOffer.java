package io.knabla.controller.spot.policy;

import java.util.OptionalInt;

/**
 * A zone in which replicas may be launched, and what it is known to offer.
 *
 * @param spotPrice of an hour, in any currency; positive
 * @param onDemandPrice of an hour, in the same currency
 * @param placementScore EC2's spot placement score, 1 (unlikely to succeed) to 10; empty if unknown
 */
public record ZoneOffer(String zone, double spotPrice, double onDemandPrice, OptionalInt placementScore) {
    public ZoneOffer {
        if (!(spotPrice > 0 && onDemandPrice > 0)) {
            throw new IllegalArgumentException("prices must be positive, but zone %s has %s on spot and %s on demand"
                    .formatted(zone, spotPrice, onDemandPrice));
        }
    }

    /** The same prices in every zone, nothing else known. */
    public static ZoneOffer of(String zone, double spotPrice, double onDemandPrice) {
        return new ZoneOffer(zone, spotPrice, onDemandPrice, OptionalInt.empty());
    }

    /** Price of spot capacity as a fraction of the price on demand. */
    public double relativePrice() {
        return spotPrice / onDemandPrice;
    }

    /** Whether spot capacity saves anything here. */
    public boolean spotIsCheaper() {
        return spotPrice < onDemandPrice;
    }

    /** The region of a zone name or id: {@code us-east-1} of {@code us-east-1a}, {@code use1} of {@code use1-az2}. */
    public String region() {
        return Regions.of(zone);
    }
}
