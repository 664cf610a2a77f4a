package io.knabla.controller.cost.price;

import io.knabla.controller.cost.price.Provenance.Quality;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** Marks list prices that are used for a time which their source does not speak of. */
final class Assumed {
    private Assumed() {}

    static Price price(Price known) {
        Provenance from = known.provenance();
        String source = "%s; list price of %s assumed"
                .formatted(from.source(), LocalDate.ofInstant(from.retrieved(), ZoneOffset.UTC));
        return new Price(known.usd(), new Provenance(Quality.DEFAULT, source, from.retrieved()));
    }

    static LambdaRates lambda(LambdaRates known) {
        return new LambdaRates(
                known.tiers().stream()
                        .map(tier -> new LambdaRates.Tier(tier.upToGbSeconds(), price(tier.perGbSecond())))
                        .toList(),
                price(known.perRequest()),
                known.freeRequests(),
                known.freeGbSeconds());
    }

    static FargateRates.Rate rate(FargateRates.Rate known) {
        return new FargateRates.Rate(price(known.perVcpuHour()), price(known.perGbHour()));
    }
}
