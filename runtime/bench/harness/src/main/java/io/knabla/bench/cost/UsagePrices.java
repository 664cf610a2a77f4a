package io.knabla.bench.cost;

import io.knabla.controller.price.Price;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.Provenance;
import io.knabla.controller.price.RowBook;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Prices of the fleet's instances: one on demand, and on spot another one every six hours in every zone. */
final class UsagePrices {
    private static final Map<String, String> ON_DEMAND =
            Map.of(UsageFleet.CPU_TYPE, "0.4032", UsageFleet.GPU_TYPE, "1.006");
    private static final int ZONES = 3;
    private static final int STEP_HOURS = 6;

    private UsagePrices() {}

    static PriceBook of(int hours) {
        List<PriceRow> rows = new ArrayList<>();
        ON_DEMAND.forEach((type, usd) -> {
            rows.add(new PriceRow.OnDemand(
                    type, UsageFleet.REGION, since(UsageFleet.START), price(new BigDecimal(usd))));
            for (int zone = 1; zone <= ZONES; zone++) {
                for (int hour = 0; hour < hours; hour += STEP_HOURS) {
                    BigDecimal share = BigDecimal.valueOf(30 + (hour / STEP_HOURS * 7 + zone * 5) % 20, 2);
                    Instant start = UsageFleet.START.plus(Duration.ofHours(hour));
                    rows.add(new PriceRow.Spot(
                            type,
                            UsageFleet.REGION,
                            "use1-az" + zone,
                            since(start),
                            price(new BigDecimal(usd).multiply(share))));
                }
            }
        });
        return new RowBook(rows);
    }

    private static Interval since(Instant start) {
        return new Interval(start, Optional.empty());
    }

    private static Price price(BigDecimal usd) {
        return new Price(usd, new Provenance(Provenance.Quality.HISTORY, "bench cost", UsageFleet.START));
    }
}
