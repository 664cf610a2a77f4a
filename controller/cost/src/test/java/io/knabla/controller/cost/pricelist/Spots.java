package io.knabla.controller.cost.pricelist;

import io.knabla.controller.price.ParsedRows;
import io.knabla.controller.price.Price;
import io.knabla.controller.price.PriceBook.Commitment;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.Provenance;
import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Prices and sources for tests, in {@code us-east-1}. */
final class Spots {
    private static final Instant T0 = Instant.parse("2026-11-25T00:00:00Z");

    private Spots() {}

    static Instant day(int day) {
        return T0.plus(Duration.ofDays(day));
    }

    static PriceRow spot(int day, String usd, int retrieved) {
        return new PriceRow.Spot("m5.large", "us-east-1", "use1-az1", since(day), price(usd, retrieved));
    }

    static PriceRow committed(String type, String usd) {
        return new PriceRow.Committed(type, "us-east-1", Commitment.ONE_YEAR, since(0), price(usd, 0));
    }

    static PriceSource source(String name, List<PriceRow> rows) {
        return source(name, (_, _) -> new ParsedRows(rows, List.of()));
    }

    static PriceSource source(String name, BiFunction<List<PriceRow>, Instant, ParsedRows> answer) {
        return new PriceSource() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public String region() {
                return "us-east-1";
            }

            @Override
            public ParsedRows fetch(List<PriceRow> stored, Instant now) {
                return answer.apply(stored, now);
            }
        };
    }

    private static Interval since(int day) {
        return new Interval(day(day), Optional.empty());
    }

    private static Price price(String usd, int retrieved) {
        return new Price(new BigDecimal(usd), new Provenance(Quality.HISTORY, "test", day(retrieved)));
    }
}
