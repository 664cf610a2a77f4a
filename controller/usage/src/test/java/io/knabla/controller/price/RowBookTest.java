package io.knabla.controller.price;

import static io.knabla.controller.price.Rows.REGION;
import static io.knabla.controller.price.Rows.TYPE;
import static io.knabla.controller.price.Rows.day;
import static io.knabla.controller.price.Rows.days;
import static io.knabla.controller.price.Rows.onDemand;
import static io.knabla.controller.price.Rows.price;
import static io.knabla.controller.price.Rows.since;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.PriceBook.Architecture;
import io.knabla.controller.price.PriceBook.Commitment;
import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowBookTest {
    @Test
    void aPriceHoldsFromItsTimeInclusiveToTheNextRowExclusive() {
        RowBook book = new RowBook(List.of(onDemand(since(30), "2"), onDemand(since(0), "1")));

        assertThat(usd(book, day(0))).isEqualTo("1 HISTORY");
        assertThat(usd(book, day(30).minusNanos(1))).isEqualTo("1 HISTORY");
        assertThat(usd(book, day(30))).isEqualTo("2 HISTORY");
    }

    @Test
    void aTimeBeforeTheFirstRowGetsItAsAnAssumptionWithItsDate() {
        RowBook book = new RowBook(List.of(onDemand(since(0), "1"), onDemand(since(30), "2")));

        assertThat(book.onDemand(TYPE, REGION, day(0).minusNanos(1))).hasValueSatisfying(price -> {
            assertThat(price.usd()).isEqualTo("1");
            assertThat(price.provenance())
                    .isEqualTo(new Provenance(Quality.DEFAULT, "source; list price of 2026-01-01 assumed", day(0)));
        });
    }

    @Test
    void aListPriceThatEndedBeforeUsageBeganIsAssumedAndSaysSo() {
        RowBook book = new RowBook(List.of(onDemand(days(0, 10), "1")));

        assertThat(usd(book, day(10).minusNanos(1))).isEqualTo("1 HISTORY");
        assertThat(usd(book, day(10))).isEqualTo("1 DEFAULT");
    }

    @Test
    void aListPriceIsOnlyAssumed90DaysAfterItsSourceWasRead() {
        RowBook read = new RowBook(List.of(onDemand(since(0), "1")));
        RowBook readLater =
                new RowBook(List.of(new PriceRow.OnDemand(TYPE, REGION, since(0), price("1", Quality.HISTORY, 100))));

        assertThat(usd(read, day(90).minusNanos(1))).isEqualTo("1 HISTORY");
        assertThat(usd(read, day(90))).isEqualTo("1 DEFAULT");
        assertThat(usd(readLater, day(190).minusNanos(1))).isEqualTo("1 HISTORY");
        assertThat(usd(readLater, day(190))).isEqualTo("1 DEFAULT");
    }

    @Test
    void betweenTwoSnapshotsFarApartTheEarlierOneIsAssumed() {
        RowBook book = new RowBook(List.of(onDemand(since(0), "1"), onDemand(since(400), "2")));

        assertThat(usd(book, day(399))).isEqualTo("1 DEFAULT");
        assertThat(usd(book, day(400))).isEqualTo("2 HISTORY");
    }

    @Test
    void ofTwoRowsWithTheSameStartTheOneRetrievedLaterCounts() {
        PriceRow early = new PriceRow.OnDemand(TYPE, REGION, since(0), price("1", Quality.HISTORY, 1));
        PriceRow late = new PriceRow.OnDemand(TYPE, REGION, since(0), price("2", Quality.HISTORY, 2));

        assertThat(usd(new RowBook(List.of(early, late)), day(3))).isEqualTo("2 HISTORY");
        assertThat(usd(new RowBook(List.of(late, early)), day(3))).isEqualTo("2 HISTORY");
    }

    @Test
    void unknownTypesAndRegionsHaveNoPrice() {
        RowBook book = new RowBook(List.of(onDemand(since(0), "1")));

        assertThat(book.onDemand("x.large", REGION, day(1))).isEmpty();
        assertThat(book.onDemand(TYPE, "mars-north-1", day(1))).isEmpty();
        assertThat(book.onDemand("", "", day(1))).isEmpty();
        assertThat(book.committed(TYPE, REGION, Commitment.ONE_YEAR, day(1))).isEmpty();
        assertThat(book.lambda(REGION, Architecture.X86_64, day(1))).isEmpty();
        assertThat(book.fargate(REGION, Architecture.X86_64, day(1))).isEmpty();
        assertThat(book.serverlessGpus(day(1))).isEmpty();
    }

    @Test
    void aRowForAnyRegionIsUsedWhereTheRegionHasNone() {
        RowBook book = new RowBook(List.of(
                onDemand(since(0), "1"),
                new PriceRow.OnDemand(TYPE, PriceRow.ANY, since(0), price("7", Quality.DECLARED, 0))));

        assertThat(usd(book, day(1))).isEqualTo("1 HISTORY");
        assertThat(book.onDemand(TYPE, "eu-west-1", day(1))).map(Price::usd).hasValue(new BigDecimal("7"));
    }

    @Test
    void aDeclaredPriceHoldsExactlyAsLongAsItSays() {
        RowBook open = new RowBook(declared(since(0)));
        RowBook ended = new RowBook(declared(days(0, 10)));

        assertThat(usd(open, day(100_000))).isEqualTo("3 DECLARED");
        assertThat(usd(ended, day(10).minusNanos(1))).isEqualTo("3 DECLARED");
        assertThat(usd(ended, day(10))).isEqualTo("none");
        assertThat(usd(ended, day(0).minusNanos(1))).isEqualTo("none");
    }

    @Test
    void aCommitmentHoldsForItsTermAndIsNotAssumed() {
        RowBook book =
                new RowBook(List.of(committed(Commitment.ONE_YEAR, "1"), committed(Commitment.THREE_YEARS, "2")));

        assertThat(committed(book, Commitment.ONE_YEAR, day(0))).isEqualTo("1");
        assertThat(committed(book, Commitment.ONE_YEAR, day(365).minusNanos(1))).isEqualTo("1");
        assertThat(committed(book, Commitment.ONE_YEAR, day(365))).isEqualTo("none");
        assertThat(committed(book, Commitment.ONE_YEAR, day(0).minusNanos(1))).isEqualTo("none");
        assertThat(committed(book, Commitment.THREE_YEARS, day(3 * 365).minusNanos(1)))
                .isEqualTo("2");
        assertThat(committed(book, Commitment.THREE_YEARS, day(3 * 365))).isEqualTo("none");
    }

    @Test
    void assumedRatesOfServicesSayTheDateInEveryPart() {
        FargateRates.Rate rate = new FargateRates.Rate(price("1", Quality.HISTORY, 0), price("2", Quality.HISTORY, 0));
        LambdaRates lambda = new LambdaRates(
                List.of(
                        new LambdaRates.Tier(BigDecimal.TEN, price("2", Quality.HISTORY, 0)),
                        new LambdaRates.Tier(null, price("1", Quality.HISTORY, 0))),
                price("3", Quality.HISTORY, 0),
                1_000_000,
                new BigDecimal("400000"));
        RowBook book = new RowBook(List.of(
                new PriceRow.Fargate(REGION, Architecture.ARM64, since(0), rate),
                new PriceRow.FargateSpot(REGION, Architecture.ARM64, since(0), rate),
                new PriceRow.Lambda(REGION, Architecture.ARM64, since(0), lambda)));

        assertThat(book.fargate(REGION, Architecture.ARM64, day(1))
                        .orElseThrow()
                        .spot())
                .hasValue(rate);
        assertThat(book.lambda(REGION, Architecture.ARM64, day(1))).hasValue(lambda);
        assertThat(book.fargate(REGION, Architecture.ARM64, day(90))).hasValueSatisfying(rates -> {
            assertAssumed(rates.onDemand().perVcpuHour(), "1");
            assertAssumed(rates.onDemand().perGbHour(), "2");
            assertThat(rates.spot()).isEmpty();
        });
        assertThat(book.lambda(REGION, Architecture.ARM64, day(90))).hasValueSatisfying(rates -> {
            assertAssumed(rates.tiers().get(0).perGbSecond(), "2");
            assertAssumed(rates.tiers().get(1).perGbSecond(), "1");
            assertAssumed(rates.perRequest(), "3");
            assertThat(rates.tiers().get(0).upToGbSeconds()).isEqualTo("10");
            assertThat(rates.freeRequests()).isEqualTo(1_000_000);
            assertThat(rates.freeGbSeconds()).isEqualTo("400000");
        });
    }

    private static void assertAssumed(Price price, String usd) {
        assertThat(price.usd()).isEqualTo(usd);
        assertThat(price.provenance().quality()).isEqualTo(Quality.DEFAULT);
        assertThat(price.provenance().source()).endsWith("list price of 2026-01-01 assumed");
    }

    private static List<PriceRow> declared(Interval time) {
        return List.of(new PriceRow.OnDemand(TYPE, REGION, time, price("3", Quality.DECLARED, 0)));
    }

    private static PriceRow committed(Commitment commitment, String usd) {
        return new PriceRow.Committed(TYPE, REGION, commitment, since(0), price(usd, Quality.HISTORY, 0));
    }

    private static String committed(PriceBook book, Commitment commitment, Instant at) {
        return book.committed(TYPE, REGION, commitment, at)
                .map(price -> price.usd().toPlainString())
                .orElse("none");
    }

    private static String usd(PriceBook book, Instant at) {
        return book.onDemand(TYPE, REGION, at)
                .map(price -> price.usd() + " " + price.provenance().quality())
                .orElse("none");
    }
}
