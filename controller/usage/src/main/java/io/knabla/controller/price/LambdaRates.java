package io.knabla.controller.price;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.UnaryOperator;

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

    /** The same rates with each price replaced. */
    LambdaRates with(UnaryOperator<Price> change) {
        return new LambdaRates(
                tiers.stream()
                        .map(tier -> new Tier(tier.upToGbSeconds(), change.apply(tier.perGbSecond())))
                        .toList(),
                change.apply(perRequest),
                freeRequests,
                freeGbSeconds);
    }

    /** The same prices for an account whose free allowances are used up. */
    public LambdaRates withoutFree() {
        return new LambdaRates(tiers, perRequest, 0, BigDecimal.ZERO);
    }

    /** @param upToGbSeconds bound of the month's sum, inclusive; null if there is none */
    public record Tier(BigDecimal upToGbSeconds, Price perGbSecond) {}
}
