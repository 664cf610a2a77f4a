package io.knabla.controller.price;

import static io.knabla.controller.price.Rows.day;
import static io.knabla.controller.price.Rows.days;
import static io.knabla.controller.price.Rows.since;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.Provenance.Quality;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The entries are written by hand in the documented shape of {@code DescribeSpotPriceHistory}; none was recorded. */
class SpotPriceHistoryTest {
    private static final SpotPricePoint POINT =
            new SpotPricePoint(Rows.TYPE, Rows.ZONE, "us-east-1c", "Linux/UNIX", "0.023500", day(0));

    @Test
    void anEntryIsAChangeOfPriceKeyedByZoneId() {
        ParsedRows parsed = SpotPriceHistory.rows(Rows.REGION, List.of(POINT), day(3));

        assertThat(parsed.faults()).isEmpty();
        assertThat(parsed.rows())
                .containsExactly(new PriceRow.Spot(
                        Rows.TYPE,
                        Rows.REGION,
                        Rows.ZONE,
                        since(0),
                        new Price(
                                new BigDecimal("0.023500"),
                                new Provenance(
                                        Quality.HISTORY,
                                        "EC2 DescribeSpotPriceHistory in us-east-1 at 2026-01-04T00:00:00Z",
                                        day(3)))));
    }

    @Test
    void theNewestPriceFirstAsAwsSendsItMakesTheSameBook() {
        List<SpotPricePoint> answer = List.of(with("0.03", 2), with("0.02", 1), with("0.01", -20));
        PriceBook book =
                new RowBook(SpotPriceHistory.rows(Rows.REGION, answer, day(3)).rows());

        assertThat(SpotPricesTest.parts(book, days(0, 20)))
                .containsExactly("0..1 0.01 HISTORY", "1..2 0.02 HISTORY", "2..10 0.03 HISTORY");
    }

    @Test
    void otherOperatingSystemsAreLeftOut() {
        List<SpotPricePoint> answer = List.of(described("Windows"), described("Linux/UNIX (Amazon VPC)"));

        ParsedRows parsed = SpotPriceHistory.rows(Rows.REGION, answer, day(3));
        assertThat(parsed.rows()).hasSize(1);
        assertThat(parsed.faults()).isEmpty();
    }

    @Test
    void anEntryThatCannotBeReadIsAFaultAndTheOthersAreKept() {
        List<SpotPricePoint> answer = List.of(
                POINT,
                new SpotPricePoint(Rows.TYPE, null, "us-east-1c", "Linux/UNIX", "0.1", day(0)),
                new SpotPricePoint("", Rows.ZONE, "us-east-1c", "Linux/UNIX", "0.1", day(0)),
                new SpotPricePoint(Rows.TYPE, Rows.ZONE, "us-east-1c", "Linux/UNIX", "0.1", null),
                described(null));

        ParsedRows parsed = SpotPriceHistory.rows(Rows.REGION, answer, day(3));
        assertThat(parsed.rows()).hasSize(1);
        assertThat(parsed.faults())
                .hasSize(4)
                .first()
                .asString()
                .contains("zoneName=us-east-1c")
                .contains("has no zone id");
    }

    @ParameterizedTest
    @CsvSource({"0.000000", "-1", "1e-5", "free", "''", "0x10", "99999999999999999999"})
    void aPriceThatIsNoneIsAFault(String price) {
        ParsedRows parsed = SpotPriceHistory.rows(Rows.REGION, List.of(with(price, 0)), day(3));

        assertThat(parsed.rows()).isEmpty();
        assertThat(parsed.faults()).singleElement().asString().contains("price is ");
    }

    private static SpotPricePoint with(String price, int day) {
        return new SpotPricePoint(Rows.TYPE, Rows.ZONE, "us-east-1c", "Linux/UNIX", price, day(day));
    }

    private static SpotPricePoint described(String system) {
        return new SpotPricePoint(Rows.TYPE, Rows.ZONE, "us-east-1c", system, "0.1", day(0));
    }
}
