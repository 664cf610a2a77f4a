package io.knabla.controller.price;

import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Rows for tests: by default of {@code m.large} in {@code us-east-1}, published at {@link #T0}. */
final class Rows {
    static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
    static final String TYPE = "m.large";
    static final String REGION = "us-east-1";
    static final String ZONE = "use1-az1";

    private Rows() {}

    static Instant day(int days) {
        return T0.plus(Duration.ofDays(days));
    }

    static Interval days(int from, int until) {
        return Interval.of(day(from), day(until));
    }

    static Interval since(int day) {
        return new Interval(day(day), Optional.empty());
    }

    static Price price(String usd, Quality quality, int retrievedDay) {
        return new Price(new BigDecimal(usd), new Provenance(quality, "source", day(retrievedDay)));
    }

    static PriceRow onDemand(Interval time, String usd) {
        return new PriceRow.OnDemand(TYPE, REGION, time, published(time, usd));
    }

    static PriceRow spot(Interval time, String usd) {
        return new PriceRow.Spot(TYPE, REGION, ZONE, time, published(time, usd));
    }

    static PriceRow spot(Interval time, String usd, int retrievedDay) {
        return new PriceRow.Spot(TYPE, REGION, ZONE, time, price(usd, Quality.HISTORY, retrievedDay));
    }

    static PriceRow average(Interval time, String usd) {
        return new PriceRow.SpotAverage(
                TYPE,
                REGION,
                time,
                new Price(new BigDecimal(usd), new Provenance(Quality.DERIVED, "average", time.start())));
    }

    private static Price published(Interval time, String usd) {
        return new Price(new BigDecimal(usd), new Provenance(Quality.HISTORY, "source", time.start()));
    }
}
