package io.knabla.controller.cost.price;

import io.knabla.controller.cost.usage.Interval;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Known prices by time. What is not known is absent, and never assumed to be free. */
public interface PriceBook {
    /** Price of an hour of an instance on demand at that time. */
    Optional<Price> onDemand(String instanceType, String region, Instant at);

    /**
     * Prices of an hour of a spot instance, in order of time, from {@code time}'s start to its end; parts without a
     * known price are left out.
     *
     * @param time must have an end
     */
    List<SpotPrice> spot(String instanceType, String region, String zoneId, Interval time);

    /** Effective price of an hour under this commitment, upfront part included. */
    Optional<Price> committed(String instanceType, String region, Commitment commitment, Instant at);

    Optional<LambdaRates> lambda(String region, Architecture architecture, Instant at);

    Optional<FargateRates> fargate(String region, Architecture architecture, Instant at);

    /** A spot price and when it held. */
    record SpotPrice(Interval time, Price perHour) {}

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
