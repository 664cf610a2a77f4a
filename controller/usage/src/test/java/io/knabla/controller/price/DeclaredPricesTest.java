package io.knabla.controller.price;

import static io.knabla.controller.price.Rows.REGION;
import static io.knabla.controller.price.Rows.TYPE;
import static io.knabla.controller.price.Rows.ZONE;
import static io.knabla.controller.price.Rows.day;
import static io.knabla.controller.price.Rows.days;
import static io.knabla.controller.price.Rows.onDemand;
import static io.knabla.controller.price.Rows.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.knabla.controller.price.PriceBook.Architecture;
import io.knabla.controller.price.Provenance.Quality;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeclaredPricesTest {
    private static final PriceBook LISTED = new RowBook(List.of(onDemand(since(0), "0.1")));

    @Test
    void aDeclaredPriceComesBeforeTheBooksAndNamesItsPlace() {
        PriceBook book = over(
                always(new DeclaredPrice.Instance("other", REGION, usd("0.3"))),
                always(new DeclaredPrice.Instance(TYPE, REGION, usd("0.2"))));

        assertThat(book.onDemand(TYPE, REGION, day(1)))
                .hasValue(new Price(usd("0.2"), new Provenance(Quality.DECLARED, "config.yaml, prices[1]", day(0))));
        assertThat(book.onDemand(TYPE, REGION, day(-100_000))).map(Price::usd).hasValue(usd("0.2"));
        assertThat(book.onDemand("other", "eu-west-1", day(1))).isEmpty();
    }

    @Test
    void aDeclaredPriceHoldsBetweenItsTimes() {
        PriceBook book = over(new DeclaredPrice(
                new DeclaredPrice.Instance(TYPE, REGION, usd("0.2")), "USD", Optional.of(day(1)), Optional.of(day(2))));

        assertThat(perHour(book, 1)).isEqualTo("0.2");
        assertThat(perHour(book, 2)).isEqualTo("0.1");
        assertThat(perHour(book, 0)).isEqualTo("0.1");
    }

    @Test
    void afterAPriceThatEndedTheOneThatHoldsAlwaysHoldsAgain() {
        DeclaredPrice special = new DeclaredPrice(
                new DeclaredPrice.Instance(TYPE, REGION, usd("0.15")),
                "USD",
                Optional.of(day(1)),
                Optional.of(day(31)));
        PriceBook book = over(always(new DeclaredPrice.Instance(TYPE, REGION, usd("0.2"))), special);

        assertThat(perHour(book, 0)).isEqualTo("0.2");
        assertThat(perHour(book, 1)).isEqualTo("0.15");
        // Not the 0.1 of the book below.
        assertThat(perHour(book, 31)).isEqualTo("0.2");
        assertThat(perHour(book, 1000)).isEqualTo("0.2");
    }

    @Test
    void ofTwoPricesThatOverlapTheOneThatBeganLaterHolds() {
        DeclaredPrice.Offer first = new DeclaredPrice.Instance(TYPE, REGION, usd("0.3"));
        DeclaredPrice.Offer second = new DeclaredPrice.Instance(TYPE, REGION, usd("0.4"));
        PriceBook book = over(
                new DeclaredPrice(first, "USD", Optional.of(day(0)), Optional.of(day(10))),
                new DeclaredPrice(second, "USD", Optional.of(day(5)), Optional.of(day(15))));

        assertThat(book.onDemand(TYPE, REGION, days(4, 16)))
                .extracting(part -> part.perHour().usd().toPlainString(), PriceBook.TimedPrice::time)
                .containsExactly(tuple("0.3", days(4, 5)), tuple("0.4", days(5, 15)), tuple("0.1", days(15, 16)));
    }

    @Test
    void aDeclaredSpotPriceHoldsInItsZone() {
        PriceBook book = over(always(new DeclaredPrice.SpotInstance(TYPE, REGION, ZONE, usd("0.05"))));

        assertThat(SpotPricesTest.parts(book, days(0, 3))).containsExactly("0..3 0.05 DECLARED");
        assertThat(book.spot(TYPE, REGION, "use1-az2", days(0, 3))).isEmpty();
    }

    @Test
    void anOwnMachineCostsItsShareOfThePurchaseAndItsPower() {
        // Bought: 8,760 / (5 x 8,760 h) = 0.2; power: 400 W = 0.4 kW x 0.30 = 0.12
        assertThat(own("8760", "400", "0.30", "5")).isEqualByComparingTo("0.32");
        // 2,628 / (1.5 x 8,760 h = 13,140 h) = 0.2; no power
        assertThat(own("2628", "0", "0", "1.5")).isEqualByComparingTo("0.2");
        // 1,000 / 26,280 h does not end: 34 digits; power: 0.25 kW x 0.4 = 0.1
        assertThat(own("1000", "0", "0", "3")).isEqualByComparingTo("0.03805175038051750380517503805175038");
        assertThat(own("1000", "250", "0.4", "3")).isEqualByComparingTo("0.1380517503805175038051750380517504");
        // A gift that runs on 1 kW at 0.25
        assertThat(own("0", "1000", "0.25", "4")).isEqualByComparingTo("0.25");
    }

    @Test
    void serverlessGpusAndFargateSpotAreKnownOnlyWhenDeclared() {
        PriceBook book = over(
                always(new DeclaredPrice.ServerlessGpu("a10", usd("0.000306"))),
                always(new DeclaredPrice.FargateSpot(REGION, Architecture.X86_64, usd("0.012"), usd("0.0013"))));

        assertThat(book.serverlessGpus(day(1)).get("a10").usd()).isEqualTo("0.000306");
        FargateRates.Rate spot =
                book.fargateSpot(REGION, Architecture.X86_64, day(1)).orElseThrow();
        assertThat(spot.perVcpuHour().usd()).isEqualTo("0.012");
        assertThat(spot.perGbHour().usd()).isEqualTo("0.0013");
        assertThat(spot.perGbHour().provenance().quality()).isEqualTo(Quality.DECLARED);
        assertThat(LISTED.fargateSpot(REGION, Architecture.X86_64, day(1))).isEmpty();
        assertThat(LISTED.serverlessGpus(day(1))).isEmpty();
    }

    @Test
    void aDeclaredFargateSpotRateJoinsTheBundledFargateRates() {
        PriceBook book = DeclaredPrices.over(
                BundledPrices.book(),
                List.of(always(
                        new DeclaredPrice.FargateSpot("us-east-1", Architecture.ARM64, usd("0.01"), usd("0.001")))),
                "config.yaml",
                day(0));

        FargateRates rates =
                book.fargate("us-east-1", Architecture.ARM64, day(300)).orElseThrow();
        assertThat(rates.onDemand().perVcpuHour().usd()).isEqualTo("0.03238");
        assertThat(rates.spot().orElseThrow().perVcpuHour().usd()).isEqualTo("0.01");
    }

    @Test
    void allFaultsOfAllPricesAreToldAtOnce() {
        List<DeclaredPrice> bad = List.of(
                always(new DeclaredPrice.Instance("", null, usd("-1"))),
                new DeclaredPrice(
                        new DeclaredPrice.OwnMachine(TYPE, REGION, null, usd("-5"), usd("0.3"), usd("0")),
                        "EUR",
                        Optional.of(day(2)),
                        Optional.of(day(2))),
                always(new DeclaredPrice.SpotInstance(TYPE, REGION, " ", usd("0.1"))),
                always(new DeclaredPrice.FargateSpot(REGION, null, usd("0.1"), usd("-0.1"))),
                new DeclaredPrice(
                        new DeclaredPrice.ServerlessGpu("a10", usd("1")), null, Optional.empty(), Optional.empty()));

        PriceFaultsException refused =
                catchThrowableOfType(PriceFaultsException.class, () -> DeclaredPrices.rows(bad, "config.yaml", day(0)));

        assertThat(refused.faults())
                .containsExactly(
                        "prices[0].instanceType is missing; give its name",
                        "prices[0].region is missing; give its name",
                        "prices[0].perHour is -1; allowed is 0 to 1000000000 with at most 18 decimals",
                        "prices[1].currency is EUR; allowed is USD: convert the price",
                        "prices[1].until is 2026-01-03T00:00:00Z, but must be after from, which is 2026-01-03T00:00:00Z",
                        "prices[1].purchasePrice is missing; give a number from 0",
                        "prices[1].watts is -5; allowed is 0 to 1000000000 with at most 18 decimals",
                        "prices[1].years is 0, but a machine must last longer to have an hourly price",
                        "prices[2].zoneId is missing; give its name",
                        "prices[3].architecture is missing; allowed are x86_64 and arm64",
                        "prices[3].perGbHour is -0.1; allowed is 0 to 1000000000 with at most 18 decimals",
                        "prices[4].currency is null; allowed is USD: convert the price");
        assertThat(refused).hasMessageContaining("12 faults").hasMessageContaining("prices[4].currency");
    }

    @Test
    void everyFieldOfEveryOfferIsChecked() {
        List<DeclaredPrice> empty = List.of(
                always(new DeclaredPrice.Instance(null, null, null)),
                always(new DeclaredPrice.SpotInstance(null, null, null, null)),
                always(new DeclaredPrice.OwnMachine(null, null, null, null, null, null)),
                always(new DeclaredPrice.ServerlessGpu(null, null)),
                always(new DeclaredPrice.FargateSpot(null, null, null, null)));

        PriceFaultsException refused = catchThrowableOfType(
                PriceFaultsException.class, () -> DeclaredPrices.rows(empty, "config.yaml", day(0)));

        assertThat(refused.faults().stream().map(fault -> fault.replaceAll(" is missing; .*", "")))
                .containsExactly(
                        "prices[0].instanceType",
                        "prices[0].region",
                        "prices[0].perHour",
                        "prices[1].instanceType",
                        "prices[1].region",
                        "prices[1].zoneId",
                        "prices[1].perHour",
                        "prices[2].instanceType",
                        "prices[2].region",
                        "prices[2].purchasePrice",
                        "prices[2].watts",
                        "prices[2].perKilowattHour",
                        "prices[2].years",
                        "prices[3].name",
                        "prices[3].perGpuSecond",
                        "prices[4].region",
                        "prices[4].architecture",
                        "prices[4].perVcpuHour",
                        "prices[4].perGbHour");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000000000", "0", "0.000000000000000001"})
    void theBoundsThemselvesAreAllowed(String amount) {
        PriceBook book = over(always(new DeclaredPrice.Instance(TYPE, REGION, usd(amount))));

        assertThat(book.onDemand(TYPE, REGION, day(1))).map(Price::usd).hasValue(usd(amount));
    }

    @Test
    void theSamePriceStatedTwiceForTheSameTimeIsRefused() {
        DeclaredPrice.Offer bought = new DeclaredPrice.Instance(TYPE, REGION, usd("1"));
        DeclaredPrice.Offer own = new DeclaredPrice.OwnMachine(TYPE, REGION, usd("1"), usd("1"), usd("1"), usd("1"));
        DeclaredPrice later = new DeclaredPrice(bought, "USD", Optional.of(day(1)), Optional.empty());

        assertThatThrownBy(() -> over(always(bought), later, always(own)))
                .isInstanceOf(PriceFaultsException.class)
                .hasMessageEndingWith("prices[2] states the price of prices[0] for the same time again; keep one");
        assertThat(perHour(over(always(own), later), 1)).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "0e999999999", "1e-19", "1000000000.1", "-0.01"})
    void numbersThatNobodyMeansAreRefused(String amount) {
        assertThatThrownBy(() -> over(always(new DeclaredPrice.Instance(TYPE, REGION, usd(amount)))))
                .isInstanceOf(PriceFaultsException.class);
    }

    private static BigDecimal own(String purchase, String watts, String perKilowattHour, String years) {
        DeclaredPrice machine = always(new DeclaredPrice.OwnMachine(
                "workstation", PriceRow.ANY, usd(purchase), usd(watts), usd(perKilowattHour), usd(years)));
        return over(machine)
                .onDemand("workstation", "home", day(1))
                .orElseThrow()
                .usd();
    }

    private static PriceBook over(DeclaredPrice... prices) {
        return DeclaredPrices.over(LISTED, List.of(prices), "config.yaml", day(0));
    }

    private static DeclaredPrice always(DeclaredPrice.Offer offer) {
        return DeclaredPrice.always(offer);
    }

    private static String perHour(PriceBook book, int day) {
        return book.onDemand(TYPE, REGION, day(day)).orElseThrow().usd().toPlainString();
    }

    private static BigDecimal usd(String amount) {
        return new BigDecimal(amount);
    }
}
