package io.knabla.controller.price;

import io.knabla.controller.price.Provenance.Quality;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** Marks a list price, or an average of spot prices, that is used outside the time its source covers. */
final class OutdatedPrices {
    private OutdatedPrices() {}

    static Price price(Price known) {
        return assumed(known, "list price");
    }

    static Price spotAverage(Price known) {
        return assumed(known, "spot average");
    }

    private static Price assumed(Price known, String what) {
        Provenance from = known.provenance();
        String source = "%s; %s of %s assumed"
                .formatted(from.source(), what, LocalDate.ofInstant(from.retrieved(), ZoneOffset.UTC));
        return new Price(known.usd(), new Provenance(Quality.DEFAULT, source, from.retrieved()));
    }

    static LambdaRates lambda(LambdaRates known) {
        return known.with(OutdatedPrices::price);
    }

    static FargateRates.Rate rate(FargateRates.Rate known) {
        return known.with(OutdatedPrices::price);
    }
}
