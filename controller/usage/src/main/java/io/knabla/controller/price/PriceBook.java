package io.knabla.controller.price;

import io.knabla.controller.usage.Interval;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Known prices by time. What is not known is absent, and never assumed to be free. */
public interface PriceBook {
    /**
     * Prices of an hour of an instance on demand, in order of time, from {@code time}'s start to its end; parts without
     * a known price are left out.
     *
     * @param time must have an end
     */
    List<TimedPrice> onDemand(String instanceType, String region, Interval time);

    /** Price of an hour of an instance on demand at that time. */
    default Optional<Price> onDemand(String instanceType, String region, Instant at) {
        return onDemand(instanceType, region, Interval.of(at, at.plusNanos(1))).stream()
                .map(TimedPrice::perHour)
                .findFirst();
    }

    /**
     * Prices of an hour of a spot instance, in order of time, from {@code time}'s start to its end; parts without a
     * known price are left out.
     *
     * @param time must have an end
     */
    List<TimedPrice> spot(String instanceType, String region, String zoneId, Interval time);

    /** Effective price of an hour under this commitment, upfront part included. */
    Optional<Price> committed(String instanceType, String region, Commitment commitment, Instant at);

    Optional<LambdaRates> lambda(String region, Architecture architecture, Instant at);

    Optional<FargateRates> fargate(String region, Architecture architecture, Instant at);

    /** Price of Fargate Spot, which may be known where that of Fargate is not. */
    default Optional<FargateRates.Rate> fargateSpot(String region, Architecture architecture, Instant at) {
        return fargate(region, architecture, at).flatMap(FargateRates::spot);
    }

    /** Prices of a second of one GPU, by the name of the serverless offer; only the user can state them. */
    default Map<String, Price> serverlessGpus(Instant at) {
        return Map.of();
    }

    /** A price of an hour and when it held. */
    record TimedPrice(Interval time, Price perHour) {}

    /** Term of a commitment. */
    enum Commitment {
        ONE_YEAR,
        THREE_YEARS
    }

    /** Processor architecture that serverless offers are priced by. */
    enum Architecture {
        X86_64,
        ARM64
    }
}
