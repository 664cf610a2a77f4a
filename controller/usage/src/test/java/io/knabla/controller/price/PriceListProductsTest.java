package io.knabla.controller.price;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.PriceBook.Commitment;
import io.knabla.controller.price.Provenance.Quality;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code price-list-product.json} is written by hand in the documented shape of one product of {@code GetProducts}; its
 * numbers are made up and none was recorded.
 */
class PriceListProductsTest {
    private static final Instant RETRIEVED = Instant.parse("2026-11-20T12:00:00Z");
    private static final Instant EFFECTIVE = Instant.parse("2026-11-01T00:00:00Z");
    private static final String PRODUCT = product();

    @Test
    void theHourOnDemandIsReadFromItsEffectiveDate() {
        PriceBook book = new RowBook(read(PRODUCT).rows());

        assertThat(book.onDemand("g5.xlarge", "us-east-1", EFFECTIVE)).hasValueSatisfying(price -> {
            assertThat(price.usd()).isEqualByComparingTo("1.006");
            assertThat(price.provenance())
                    .isEqualTo(new Provenance(
                            Quality.HISTORY,
                            "AWS Price List, product ABCDEFGHJKLMNPQR, offer JRTCKXETXF, published 2026-11-18T02:24:09Z",
                            RETRIEVED));
        });
        assertThat(book.onDemand("g5.xlarge", "us-east-1", EFFECTIVE.minusNanos(1)))
                .map(price -> price.provenance().quality())
                .hasValue(Quality.DEFAULT);
    }

    @Test
    void standardReservedInstancesPaidUpfrontAreSpreadOverTheirTerm() {
        PriceBook book = new RowBook(read(PRODUCT).rows());

        // 5,256 / 8,760 h = 0.6; 10,512 / 26,280 h = 0.4, and 0.05 per hour
        assertThat(book.committed("g5.xlarge", "us-east-1", Commitment.ONE_YEAR, EFFECTIVE)
                        .orElseThrow()
                        .usd())
                .isEqualByComparingTo("0.6");
        assertThat(book.committed("g5.xlarge", "us-east-1", Commitment.THREE_YEARS, EFFECTIVE)
                        .orElseThrow()
                        .usd())
                .isEqualByComparingTo("0.45");
    }

    @Test
    void convertibleAndPartlyPaidOffersAreLeftOut() {
        ParsedRows parsed = read(PRODUCT);

        assertThat(parsed.faults()).isEmpty();
        assertThat(parsed.rows()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, Windows",
        "Shared, Dedicated",
        "NA, SQL Web",
        "Used, UnusedCapacityReservation",
        "OnDemand, CapacityBlock"
    })
    void otherProductsAreLeftOut(String value, String other) {
        ParsedRows parsed = read(PRODUCT.replace("\": \"%s\"".formatted(value), "\": \"%s\"".formatted(other)));

        assertThat(parsed.rows()).isEmpty();
        assertThat(parsed.faults()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'\"USD\": \"1.0060000000\"', '\"CNY\": \"1.0060000000\"', not in USD",
        "1.0060000000, 0.0000000000, one above 0 is needed",
        "1.0060000000, 1e3, not in USD",
        "1.0060000000, -1.0, not in USD",
        "'\"Hrs\"', '\"Mo\"', not in USD per Hrs",
        "2026-11-01T00:00:00Z, yesterday, effectiveDate is no time",
        "1yr, 2yr, neither 1yr nor 3yr",
        "us-east-1, '', no regionCode",
        "g5.xlarge, '', no instanceType"
    })
    void aPriceThatCannotBeReadIsAFaultThatNamesTheProduct(String given, String changed, String fault) {
        ParsedRows parsed = read(PRODUCT.replace(given, changed));

        assertThat(parsed.rows()).hasSizeLessThan(3);
        assertThat(parsed.faults())
                .isNotEmpty()
                .allSatisfy(text ->
                        assertThat(text).startsWith("product ABCDEFGHJKLMNPQR ").contains(fault));
    }

    @Test
    void aBrokenProductDoesNotKeepTheOthersFromBeingRead() {
        ParsedRows parsed = PriceListProducts.rows(
                List.of("{\"product\":", "[]", "{\"product\":{\"sku\":\"A\"}}", PRODUCT), RETRIEVED);

        assertThat(parsed.rows()).hasSize(3);
        assertThat(parsed.faults())
                .hasSize(3)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("product 0: is not JSON"),
                        second -> assertThat(second).startsWith("product 1: has no product"),
                        third -> assertThat(third).startsWith("product 2: has no product"));
    }

    private static ParsedRows read(String product) {
        return PriceListProducts.rows(List.of(product), RETRIEVED);
    }

    private static String product() {
        try (InputStream bytes = PriceListProductsTest.class.getResourceAsStream("price-list-product.json")) {
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
