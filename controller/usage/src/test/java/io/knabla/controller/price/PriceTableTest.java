package io.knabla.controller.price;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.PriceBook.Commitment;
import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PriceTableTest {
    private static final Instant OCTOBER = Instant.parse("2026-10-01T00:00:00Z");
    private static final Interval SINCE = new Interval(OCTOBER, Optional.empty());

    private static Price usd(String usd) {
        return new Price(new BigDecimal(usd), new Provenance(Quality.HISTORY, "a \"quoted\" source", OCTOBER));
    }

    /** A list price is known for 90 days after it was read, one of spot for 7. */
    @Test
    void tellsWhatIsPricedSinceWhenAndByWhom() {
        assertThat(PriceTable.line(new PriceRow.OnDemand("t", "r", SINCE, usd("0.1008")))
                        .orElseThrow())
                .isEqualTo("{\"instance_type\":\"t\",\"region\":\"r\",\"zone_id\":\"*\",\"capacity\":\"ON_DEMAND\","
                        + "\"usd_per_hour\":\"0.100800000\",\"valid_from\":\"2026-10-01T00:00:00Z\","
                        + "\"valid_until\":\"2026-12-30T00:00:00Z\",\"quality\":\"HISTORY\","
                        + "\"source\":\"a \\\"quoted\\\" source\",\"retrieved\":\"2026-10-01T00:00:00Z\"}");
        assertThat(PriceTable.line(new PriceRow.Spot("t", "r", "z", SINCE, usd("1")))
                        .orElseThrow())
                .contains("\"zone_id\":\"z\"", "\"capacity\":\"SPOT\"", "\"valid_until\":\"2026-10-08T00:00:00Z\"");
        assertThat(PriceTable.line(new PriceRow.SpotAverage("t", "r", SINCE, usd("1")))
                        .orElseThrow())
                .contains("\"zone_id\":\"*\"", "\"capacity\":\"SPOT\"");
        assertThat(PriceTable.line(new PriceRow.Committed("t", "r", Commitment.ONE_YEAR, SINCE, usd("1")))
                        .orElseThrow())
                .contains("\"capacity\":\"ONE_YEAR\"");
        assertThat(PriceTable.line(new PriceRow.ServerlessGpu("g", SINCE, usd("1"))))
                .isEmpty();
    }

    @Test
    void aPriceThatAlwaysHoldsHasNoTimes() {
        DeclaredPrice declared = DeclaredPrice.always(new DeclaredPrice.Instance("box", "*", BigDecimal.ONE));
        PriceRow row =
                DeclaredPrices.rows(List.of(declared), "config.yaml", OCTOBER).getFirst();

        assertThat(PriceTable.line(row).orElseThrow())
                .contains("\"valid_from\":null", "\"valid_until\":null", "\"quality\":\"DECLARED\"");
    }
}
