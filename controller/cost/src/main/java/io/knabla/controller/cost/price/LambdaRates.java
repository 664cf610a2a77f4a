package io.knabla.controller.cost.price;

import java.math.BigDecimal;
import java.util.List;

/**
 * Prices of AWS Lambda in one region. Free allowances hold for an account and a calendar month (UTC).
 *
 * @param tiers by GB-seconds of the month, cheapest last; the last one has no bound
 * @param perRequest price of one request
 */
public record LambdaRates(List<Tier> tiers, Price perRequest, long freeRequests, BigDecimal freeGbSeconds) {
    public LambdaRates {
        tiers = List.copyOf(tiers);
    }

    /** @param upToGbSeconds bound of the month's sum, inclusive; null if there is none */
    public record Tier(BigDecimal upToGbSeconds, Price perGbSecond) {}
}
