package io.knabla.controller.price;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.PriceBook.Architecture;
import io.knabla.controller.price.PriceBook.Commitment;
import io.knabla.controller.price.PriceBook.TimedPrice;
import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BundledPricesTest {
    private static RowBook book;

    @BeforeAll
    static void read() {
        book = BundledPrices.book();
    }

    @ParameterizedTest
    @CsvSource({
        "aws-ec2-on-demand-us-east-1-2026-07-20.csv, 1367",
        "aws-ec2-on-demand-and-spot-avg-2024-04.csv, 1898",
        "aws-ec2-sizes-2024-04.csv, 253",
        "aws-us-east-1-on-demand-and-reserved-2023.csv, 362",
        "aws-spot-savings-2025-07.csv, 2263",
        "aws-spot-history-p3.2xlarge-2023-02-16.csv, 1057",
        "aws-lambda-duration-price-2026-04.csv, 19",
        "aws-lambda-us-east-1-2026-09.csv, 6",
        "aws-fargate-us-east-1-2026-09.csv, 2",
        "aws-platform-us-east-1-2026-06.csv, 7"
    })
    void everyFileHasItsRowsAndIsNamedWithItsSource(String file, int rows) throws IOException {
        assertThat(PriceCsv.bundled(file)).hasSize(rows);
        assertThat(readme()).contains("| `%s` | %,d |".formatted(file, rows));
    }

    @Test
    void everyRowThatStatesAPriceIsInTheBook() {
        Map<Class<?>, Long> counts = BundledPrices.rows().stream().collect(groupingBy(Object::getClass, counting()));

        // Without a price: 2 of 362 reserved, 7 of 1,898 averages. Of the savings, 243 have one list price before and
        // after.
        assertThat(counts)
                .isEqualTo(Map.of(
                        PriceRow.OnDemand.class,
                        362L + 1898 + 1367,
                        PriceRow.Committed.class,
                        362L - 2,
                        PriceRow.SpotAverage.class,
                        1898L - 7 + 243,
                        PriceRow.Spot.class,
                        1057L,
                        PriceRow.Lambda.class,
                        2L + 19,
                        PriceRow.Fargate.class,
                        2L));
    }

    @Test
    void noBundledPriceIsFree() {
        assertThat(BundledPrices.rows())
                .allSatisfy(row -> assertThat(prices(row)).allMatch(usd -> usd.signum() > 0));
    }

    @Test
    void onDemandPricesFollowTheSnapshots() {
        assertThat(onDemand("p5.48xlarge", "us-east-1", "2023-09-01T00:00:00Z")).isEqualTo("98.32 HISTORY");
        assertThat(onDemand("p5.48xlarge", "us-east-1", "2026-07-20T13:44:29Z")).isEqualTo("98.32 DEFAULT");
        assertThat(onDemand("p5.48xlarge", "us-east-1", "2026-07-20T13:44:30Z")).isEqualTo("55.04 HISTORY");
        assertThat(onDemand("p5.48xlarge", "us-east-1", "2026-10-18T13:44:30Z")).isEqualTo("55.04 DEFAULT");
        assertThat(onDemand("g5.xlarge", "eu-west-1", "2024-04-04T00:00:00Z")).isEqualTo("1.123 HISTORY");
        assertThat(onDemand("g5.xlarge", "eu-west-1", "2020-01-01T00:00:00Z")).isEqualTo("1.123 DEFAULT");
        assertThat(onDemand("g5.xlarge", "sa-east-1", "2024-04-04T00:00:00Z")).isEqualTo("none");
        assertThat(onDemand("z9.huge", "us-east-1", "2026-08-01T00:00:00Z")).isEqualTo("none");
    }

    @Test
    void sourcesNameTheFileTheCommitAndTheAssumedDate() {
        Provenance provenance = book.onDemand("m5.large", "us-east-1", Instant.parse("2026-11-01T00:00:00Z"))
                .orElseThrow()
                .provenance();

        assertThat(provenance.source())
                .isEqualTo("aws-ec2-on-demand-us-east-1-2026-07-20.csv (github.com/aws/karpenter-provider-aws,"
                        + " commit 1d927085); list price of 2026-07-20 assumed");
        assertThat(provenance.retrieved()).isEqualTo("2026-07-20T13:44:30Z");
    }

    @Test
    void theSpotHistoryIsKeptByZoneName() {
        assertThat(spot("p3.2xlarge", "us-east-1", "us-east-1a", "2023-02-16T07:30:00Z", "2023-02-16T07:32:00Z"))
                .containsExactly("2023-02-16T07:30:00Z 1.6703 HISTORY", "2023-02-16T07:31:00Z 1.6729 HISTORY");
        assertThat(spot("p3.2xlarge", "us-east-1", "use1-az1", "2023-02-16T07:30:00Z", "2023-02-16T07:32:00Z"))
                .containsExactly("2023-02-16T07:30:00Z 1.407600 DEFAULT");
    }

    @Test
    void theSpotHistoryEndsSevenDaysAfterItsRecording() {
        assertThat(spot("p3.2xlarge", "us-east-2", "us-east-2b", "2023-04-01T20:00:00Z", "2023-05-01T00:00:00Z"))
                .startsWith("2023-04-01T20:00:00Z 1.0299 HISTORY", "2023-04-01T20:10:15Z 1.0331 HISTORY")
                .element(2)
                .asString()
                .startsWith("2023-04-09T01:35:15Z ")
                .endsWith(" DEFAULT");
    }

    @Test
    void aSavingTimesAListPriceThatStoodBeforeAndAfterIsTheAverage() {
        // 1.006 in 2024 and in 2026, so in 2025 as well: x (1 - 0.59)
        assertThat(spot("g5.xlarge", "us-east-1", "use1-az1", "2025-07-28T00:00:00Z", "2025-08-05T00:00:00Z"))
                .containsExactly("2025-07-28T00:00:00Z 0.41246 DERIVED", "2025-08-04T00:00:00Z 0.41246 DEFAULT");
        assertThat(book.spot("g5.xlarge", "us-east-1", "use1-az1", Interval.of(AT, AT.plusSeconds(1)))
                        .getFirst()
                        .perHour()
                        .provenance()
                        .source())
                .endsWith("saving of 59 % in the month before 2025-07-28 times the on-demand price of 2024-04-04;"
                        + " spot average of 2025-07-28 assumed");
    }

    @Test
    void aSavingIsNeverMultipliedByThePriceOfAnotherYear() {
        // 98.32 in 2023 and 55.04 in 2026: neither is known to be the price of July 2025, and 98.32 x 0.48 = 47.1936
        // was never paid. There is no average of 2024 of this type.
        assertThat(spot("p5.48xlarge", "us-east-1", "use1-az1", "2026-07-20T00:00:00Z", "2026-07-21T00:00:00Z"))
                .isEmpty();
        // 1.123 in 2024, and nothing later is known there: not 1.123 x 0.44 = 0.49412, but the average of 2024
        assertThat(spot("g5.xlarge", "eu-west-1", "euw1-az1", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"))
                .containsExactly("2026-01-01T00:00:00Z 0.516580 DEFAULT");
    }

    @Test
    void averagesOf2024AreAssumedUntilTheSavingsOf2025() {
        assertThat(spot("g5.xlarge", "us-east-1", "use1-az1", "2025-07-27T00:00:00Z", "2025-07-29T00:00:00Z"))
                .containsExactly("2025-07-27T00:00:00Z 0.523120 DEFAULT", "2025-07-28T00:00:00Z 0.41246 DERIVED");
        assertThat(spot("g5.xlarge", "us-east-1", "use1-az1", "2024-04-10T00:00:00Z", "2024-04-12T00:00:00Z"))
                .containsExactly("2024-04-10T00:00:00Z 0.523120 DERIVED", "2024-04-11T00:00:00Z 0.523120 DEFAULT");
        // Its saving is stated as 0 %, so the average of 2024 goes on.
        assertThat(spot("p2.8xlarge", "ap-northeast-1", "apne1-az1", "2025-07-27T00:00:00Z", "2025-07-29T00:00:00Z"))
                .hasSize(1);
    }

    @Test
    void aReservedPriceIsKnownForItsYearOnly() {
        assertThat(reserved("g4dn.xlarge", "2024-08-28T23:59:59Z")).isEqualTo("0.309247");
        assertThat(reserved("g4dn.xlarge", "2024-08-29T00:00:00Z")).isEqualTo("none");
        assertThat(reserved("p5.48xlarge", "2023-09-01T00:00:00Z")).isEqualTo("none");
    }

    @Test
    void lambdaInUsEast1HasTiersAndFreeAmounts() {
        assertThat(lambda("us-east-1", Architecture.X86_64))
                .containsExactly("6000000000 0.0000166667", "15000000000 0.000015", "rest 0.0000133334");
        assertThat(lambda("us-east-1", Architecture.ARM64))
                .containsExactly("7500000000 0.0000133334", "18750000000 0.0000120001", "rest 0.0000106667");
        LambdaRates rates = book.lambda("us-east-1", Architecture.ARM64, AT).orElseThrow();
        assertThat(rates.perRequest().usd()).isEqualTo("0.0000002");
        assertThat(rates.perRequest().provenance().quality()).isEqualTo(Quality.HISTORY);
        assertThat(rates.freeRequests()).isEqualTo(1_000_000);
        assertThat(rates.freeGbSeconds()).isEqualTo("400000");
    }

    @Test
    void lambdaElsewhereHasOneTierAndAnAssumedPriceOfRequests() {
        assertThat(lambda("eu-west-1", Architecture.X86_64)).containsExactly("rest 0.0000168");
        assertThat(lambda("af-south-1", Architecture.X86_64)).containsExactly("rest 0.0000224");
        assertThat(lambda("af-south-1", Architecture.ARM64)).isEmpty();
        assertThat(lambda("cn-north-1", Architecture.X86_64)).isEmpty();
        assertThat(lambda("nowhere-1", Architecture.X86_64)).isEmpty();
        LambdaRates rates = book.lambda("eu-west-1", Architecture.X86_64, Instant.parse("2026-05-01T00:00:00Z"))
                .orElseThrow();
        assertThat(rates.tiers().getFirst().perGbSecond().provenance().quality())
                .isEqualTo(Quality.DERIVED);
        assertThat(rates.perRequest().provenance().quality()).isEqualTo(Quality.DEFAULT);
        assertThat(rates.perRequest().provenance().source()).contains("requests in us-east-1");
    }

    @Test
    void fargateIsKnownInUsEast1AndItsSpotNowhere() {
        assertThat(fargate(Architecture.X86_64)).isEqualTo("0.04048 0.004445 false");
        assertThat(fargate(Architecture.ARM64)).isEqualTo("0.03238 0.00356 false");
        assertThat(book.fargate("eu-west-1", Architecture.X86_64, AT)).isEmpty();
    }

    private static final Instant AT = Instant.parse("2026-10-01T00:00:00Z");

    private static List<String> lambda(String region, Architecture architecture) {
        return book.lambda(region, architecture, AT).stream()
                .flatMap(rates -> rates.tiers().stream())
                .map(tier -> "%s %s"
                        .formatted(
                                Optional.ofNullable(tier.upToGbSeconds())
                                        .map(BigDecimal::toPlainString)
                                        .orElse("rest"),
                                tier.perGbSecond().usd().stripTrailingZeros().toPlainString()))
                .toList();
    }

    private static String fargate(Architecture architecture) {
        FargateRates rates = book.fargate("us-east-1", architecture, AT).orElseThrow();
        return "%s %s %s"
                .formatted(
                        rates.onDemand().perVcpuHour().usd(),
                        rates.onDemand().perGbHour().usd(),
                        rates.spot().isPresent());
    }

    private static String onDemand(String type, String region, String at) {
        return book.onDemand(type, region, Instant.parse(at))
                .map(price -> price.usd() + " " + price.provenance().quality())
                .orElse("none");
    }

    private static String reserved(String type, String at) {
        return book.committed(type, "us-east-1", Commitment.ONE_YEAR, Instant.parse(at))
                .map(price -> price.usd().toPlainString())
                .orElse("none");
    }

    private static List<String> spot(String type, String region, String zone, String from, String until) {
        List<TimedPrice> parts = book.spot(type, region, zone, Interval.of(Instant.parse(from), Instant.parse(until)));
        return parts.stream()
                .map(part -> "%s %s %s"
                        .formatted(
                                part.time().start(),
                                part.perHour().usd(),
                                part.perHour().provenance().quality()))
                .toList();
    }

    private static List<BigDecimal> prices(PriceRow row) {
        return switch (row) {
            case PriceRow.OnDemand it -> List.of(it.perHour().usd());
            case PriceRow.Spot it -> List.of(it.perHour().usd());
            case PriceRow.SpotAverage it -> List.of(it.perHour().usd());
            case PriceRow.Committed it -> List.of(it.perHour().usd());
            case PriceRow.ServerlessGpu it -> List.of(it.perGpuSecond().usd());
            case PriceRow.Fargate it ->
                List.of(it.rate().perVcpuHour().usd(), it.rate().perGbHour().usd());
            case PriceRow.FargateSpot it ->
                List.of(it.rate().perVcpuHour().usd(), it.rate().perGbHour().usd());
            case PriceRow.Lambda it ->
                it.rates().tiers().stream()
                        .map(tier -> tier.perGbSecond().usd())
                        .toList();
        };
    }

    private static String readme() throws IOException {
        try (InputStream bytes = BundledPrices.class.getResourceAsStream("README.md")) {
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
