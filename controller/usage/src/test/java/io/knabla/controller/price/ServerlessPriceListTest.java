package io.knabla.controller.price;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.PriceBook.Architecture;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The products are written by hand in the documented shape of {@code GetProducts}; their prices are list prices. */
class ServerlessPriceListTest {
    private static final Instant RETRIEVED = Instant.parse("2026-11-20T12:00:00Z");
    private static final Instant EFFECTIVE = Instant.parse("2026-11-01T00:00:00Z");
    private static final String DURATION = product(
            "D",
            "EUC1-Lambda-GB-Second",
            "Lambda-GB-Second",
            "15000000000 Inf 0.0000133334",
            "0 6000000000 0.0000166667",
            "6000000000 15000000000 0.0000150000");
    private static final String REQUEST = product("R", "EUC1-Request", "Requests", "0 Inf 0.0000002000");
    private static final String VCPU = product("V", "EUC1-Fargate-vCPU-Hours:perCPU", "hours", "0 Inf 0.0465600000");
    private static final String GB = product("G", "EUC1-Fargate-GB-Hours", "hours", "0 Inf 0.0051100000");

    @Test
    void lambdaHasTiersByTheMonthsSum() {
        PriceBook book = new RowBook(lambda(DURATION, REQUEST).rows());

        LambdaRates rates =
                book.lambda("eu-central-1", Architecture.X86_64, EFFECTIVE).orElseThrow();
        assertThat(rates.tiers())
                .extracting(
                        tier -> tier.upToGbSeconds() + " " + tier.perGbSecond().usd())
                .containsExactly("6000000000 0.0000166667", "15000000000 0.0000150000", "null 0.0000133334");
        assertThat(rates.perRequest().usd()).isEqualByComparingTo("0.0000002");
        assertThat(rates.freeGbSeconds()).isEqualByComparingTo(new BigDecimal(400_000));
        assertThat(rates.perRequest().provenance().source())
                .isEqualTo("AWS Price List, products D and R, published 2026-11-18T02:24:09Z");
    }

    @Test
    void fargateHasTwoPrices() {
        String armVcpu = product("AV", "EUC1-Fargate-ARM-vCPU-Hours:perCPU", "hours", "0 Inf 0.0372500000");
        String armGb = product("AG", "EUC1-Fargate-ARM-GB-Hours", "hours", "0 Inf 0.0040900000");
        String windows = product("W", "EUC1-Fargate-Windows-vCPU-Hours:perCPU", "hours", "0 Inf 0.0900000000");

        ParsedRows parsed =
                ServerlessPriceList.fargate("eu-central-1", List.of(windows, VCPU, armGb, GB, armVcpu), RETRIEVED);

        assertThat(parsed.faults()).isEmpty();
        PriceBook book = new RowBook(parsed.rows());
        assertThat(fargate(book, Architecture.X86_64)).isEqualTo("0.0465600000 0.0051100000");
        assertThat(fargate(book, Architecture.ARM64)).isEqualTo("0.0372500000 0.0040900000");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThat(lambda(DURATION).faults())
                .containsExactly(
                        "no usable price of Lambda-GB-Second and Request in eu-central-1",
                        "no usable price of Lambda-GB-Second-ARM and Request-ARM in eu-central-1");
    }

    @Test
    void theFreeAllowanceAndOtherRegionsAreNoPrices() {
        String free = product("F", "Global-Request", "Requests", "0 Inf 0.0000001000");
        String elsewhere = REQUEST.replace("eu-central-1", "eu-west-1");

        assertThat(lambda(free, elsewhere, DURATION).rows()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'\"USD\":\"0.0000150000\"', '\"CNY\":\"0.0000150000\"', no price in USD",
        "0.0000150000, 0.0000000000, price is 0",
        "0.0000150000, cheap, price is 'cheap'",
        "'\"beginRange\":\"6000000000\"', '\"beginRange\":\"7000000000\"', do not cover every consumption",
        "'\"endRange\":\"Inf\"', '\"endRange\":\"16000000000\"', do not cover every consumption",
        "'\"endRange\":\"6000000000\"', '\"endRange\":\"many\"', range with 'many'",
        "2026-11-01T00:00:00Z, today, effectiveDate is no time"
    })
    void aPriceThatCannotBeReadIsAFaultThatNamesTheProduct(String given, String changed, String fault) {
        ParsedRows parsed = lambda(DURATION.replace(given, changed), REQUEST);

        assertThat(parsed.rows()).isEmpty();
        assertThat(parsed.faults().getFirst()).startsWith("product D ").contains(fault);
    }

    @Test
    void aSecondPriceOfOneUsageTypeIsAFault() {
        assertThat(lambda(DURATION, REQUEST, REQUEST, "{").faults())
                .anyMatch(fault -> fault.equals("product R is the second price of EUC1-Request"))
                .anyMatch(fault -> fault.startsWith("product 3: is not JSON"));
    }

    private static ParsedRows lambda(String... products) {
        return ServerlessPriceList.lambda("eu-central-1", List.of(products), RETRIEVED);
    }

    private static String fargate(PriceBook book, Architecture architecture) {
        FargateRates.Rate rate = book.fargate("eu-central-1", architecture, EFFECTIVE)
                .orElseThrow()
                .onDemand();
        return rate.perVcpuHour().usd() + " " + rate.perGbHour().usd();
    }

    /** @param steps begin, end and price in US dollars */
    private static String product(String sku, String usageType, String unit, String... steps) {
        List<String> dimensions = Stream.of(steps)
                .map(step -> step.split(" "))
                .map(step ->
                        "\"%s.%s\":{\"unit\":\"%s\",\"beginRange\":\"%s\",\"endRange\":\"%s\",\"pricePerUnit\":{\"USD\":\"%s\"}}"
                                .formatted(sku, step[0], unit, step[0], step[1], step[2]))
                .toList();
        return """
                {"product":{"attributes":{"regionCode":"eu-central-1","usagetype":"%s"},"sku":"%s"},
                 "terms":{"OnDemand":{"%s.JRTCKXETXF":{"priceDimensions":{%s},"sku":"%s",
                 "effectiveDate":"2026-11-01T00:00:00Z","offerTermCode":"JRTCKXETXF"}}},
                 "publicationDate":"2026-11-18T02:24:09Z"}""".formatted(usageType, sku, sku, String.join(",", dimensions), sku);
    }
}
