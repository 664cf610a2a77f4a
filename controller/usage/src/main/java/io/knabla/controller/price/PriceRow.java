package io.knabla.controller.price;

import io.knabla.controller.usage.Interval;

/**
 * A price, what it is for and when it holds. {@link #ANY} as region or zone stands for every one that has no row of its
 * own.
 */
public sealed interface PriceRow {
    String ANY = "*";

    /**
     * Start is inclusive, end exclusive. Without an end it holds until the next row of the same key; with one, it
     * replaces the others of its key until then.
     */
    Interval time();

    /** Of its only price, or of the first one. */
    default Provenance provenance() {
        Price first = switch (this) {
            case OnDemand it -> it.perHour();
            case Spot it -> it.perHour();
            case SpotAverage it -> it.perHour();
            case Committed it -> it.perHour();
            case Lambda it -> it.rates().tiers().getFirst().perGbSecond();
            case Fargate it -> it.rate().perVcpuHour();
            case FargateSpot it -> it.rate().perVcpuHour();
            case ServerlessGpu it -> it.perGpuSecond();
        };
        return first.provenance();
    }

    /** Hour of an instance on demand. */
    record OnDemand(String instanceType, String region, Interval time, Price perHour) implements PriceRow {}

    /**
     * Hour of a spot instance since its price changed.
     *
     * @param zone zone id; a zone's name where the source knows no id
     */
    record Spot(String instanceType, String region, String zone, Interval time, Price perHour) implements PriceRow {}

    /** Hour of a spot instance, averaged over a month and the zones of a region. */
    record SpotAverage(String instanceType, String region, Interval time, Price perHour) implements PriceRow {}

    /** Effective hour of an instance under a commitment, upfront part included. */
    record Committed(String instanceType, String region, PriceBook.Commitment commitment, Interval time, Price perHour)
            implements PriceRow {}

    /** @param rates with one tier at least */
    record Lambda(String region, PriceBook.Architecture architecture, Interval time, LambdaRates rates)
            implements PriceRow {}

    record Fargate(String region, PriceBook.Architecture architecture, Interval time, FargateRates.Rate rate)
            implements PriceRow {}

    record FargateSpot(String region, PriceBook.Architecture architecture, Interval time, FargateRates.Rate rate)
            implements PriceRow {}

    /** Second of one GPU of a serverless offer. */
    record ServerlessGpu(String offer, Interval time, Price perGpuSecond) implements PriceRow {}
}
