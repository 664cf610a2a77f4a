package io.knabla.controller.price;

import static io.knabla.controller.price.Rows.REGION;
import static io.knabla.controller.price.Rows.TYPE;
import static io.knabla.controller.price.Rows.average;
import static io.knabla.controller.price.Rows.day;
import static io.knabla.controller.price.Rows.days;
import static io.knabla.controller.price.Rows.onDemand;
import static io.knabla.controller.price.Rows.price;
import static io.knabla.controller.price.Rows.since;
import static io.knabla.controller.price.Rows.spot;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.PriceBook.Architecture;
import io.knabla.controller.price.PriceBook.Commitment;
import io.knabla.controller.price.Provenance.Quality;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LayeredBookTest {
    private static final PriceBook NOTHING = new RowBook(List.of());

    @Test
    void theFirstBookThatKnowsAnswersAndKeepsItsProvenance() {
        PriceRow declared = new PriceRow.OnDemand(TYPE, REGION, since(0), price("3", Quality.DECLARED, 0));
        PriceBook refreshed = new RowBook(List.of(onDemand(since(0), "2")));
        PriceBook bundled = new RowBook(List.of(onDemand(since(0), "1")));

        assertThat(usd(layers(new RowBook(List.of(declared)), refreshed, bundled), day(1)))
                .isEqualTo("3 DECLARED");
        assertThat(usd(layers(NOTHING, refreshed, bundled), day(1))).isEqualTo("2 HISTORY");
        assertThat(usd(layers(NOTHING, NOTHING, bundled), day(1))).isEqualTo("1 HISTORY");
        assertThat(usd(layers(NOTHING, NOTHING), day(1))).isEqualTo("none");
    }

    @Test
    void whatALowerBookKnowsComesBeforeWhatAHigherOneAssumes() {
        PriceBook book =
                layers(new RowBook(List.of(onDemand(since(200), "2"))), new RowBook(List.of(onDemand(since(0), "1"))));

        assertThat(usd(book, day(1))).isEqualTo("1 HISTORY");
        assertThat(usd(book, day(100))).isEqualTo("2 DEFAULT");
        assertThat(usd(book, day(201))).isEqualTo("2 HISTORY");
    }

    @Test
    void aDeclaredPriceThatEndedGivesWayToTheNextBook() {
        PriceRow declared = new PriceRow.OnDemand(TYPE, REGION, days(0, 5), price("3", Quality.DECLARED, 0));
        PriceBook book = layers(new RowBook(List.of(declared)), new RowBook(List.of(onDemand(since(0), "1"))));

        assertThat(usd(book, day(4))).isEqualTo("3 DECLARED");
        assertThat(usd(book, day(5))).isEqualTo("1 HISTORY");
    }

    @Test
    void spotPricesAreJoinedPartByPartAndAveragesComeLast() {
        PriceBook book = layers(
                new RowBook(List.of(spot(days(1, 2), "0.1"), average(since(0), "0.8"))),
                new RowBook(List.of(spot(since(0), "0.2"), average(since(0), "0.9"))));

        assertThat(SpotPricesTest.parts(book, days(0, 10)))
                .containsExactly("0..1 0.2 HISTORY", "1..2 0.1 HISTORY", "2..7 0.2 HISTORY", "7..10 0.8 DEFAULT");
    }

    @Test
    void anAverageOfTheTimeComesBeforeOneThatAHigherBookAssumes() {
        PriceBook book =
                layers(new RowBook(List.of(average(since(20), "0.8"))), new RowBook(List.of(average(since(0), "0.9"))));

        assertThat(SpotPricesTest.parts(book, days(0, 30)))
                .containsExactly("0..7 0.9 DERIVED", "7..20 0.8 DEFAULT", "20..27 0.8 DERIVED", "27..30 0.8 DEFAULT");
    }

    @Test
    void fargateOnDemandAndItsSpotMayComeFromDifferentBooks() {
        FargateRates.Rate list = rate("1", Quality.HISTORY);
        FargateRates.Rate declared = rate("0.3", Quality.DECLARED);
        PriceBook declares =
                new RowBook(List.of(new PriceRow.FargateSpot(REGION, Architecture.X86_64, since(0), declared)));
        PriceBook bundled = new RowBook(List.of(new PriceRow.Fargate(REGION, Architecture.X86_64, since(0), list)));
        PriceBook book = layers(declares, bundled);

        FargateRates rates = book.fargate(REGION, Architecture.X86_64, day(1)).orElseThrow();
        assertThat(rates.onDemand()).isEqualTo(list);
        assertThat(rates.spot()).hasValue(declared);
        assertThat(book.fargate(REGION, Architecture.ARM64, day(1))).isEmpty();
        assertThat(declares.fargate(REGION, Architecture.X86_64, day(1))).isEmpty();
        assertThat(bundled.fargate(REGION, Architecture.X86_64, day(1))
                        .orElseThrow()
                        .spot())
                .isEmpty();
    }

    @Test
    void commitmentsAndLambdaAreAskedInTheSameOrder() {
        LambdaRates first = lambda("1", Quality.DERIVED);
        LambdaRates second = lambda("2", Quality.HISTORY);
        PriceBook book = layers(
                NOTHING,
                new RowBook(List.of(
                        new PriceRow.Lambda(REGION, Architecture.ARM64, since(0), first),
                        new PriceRow.Committed(
                                TYPE, REGION, Commitment.ONE_YEAR, since(0), price("3", Quality.HISTORY, 0)))),
                new RowBook(List.of(
                        new PriceRow.Lambda(REGION, Architecture.ARM64, since(-10), second),
                        new PriceRow.Committed(
                                TYPE, REGION, Commitment.ONE_YEAR, since(-10), price("4", Quality.HISTORY, 0)))));

        assertThat(book.lambda(REGION, Architecture.ARM64, day(1))).hasValue(first);
        assertThat(book.lambda(REGION, Architecture.ARM64, day(-1))).hasValue(second);
        assertThat(book.committed(TYPE, REGION, Commitment.ONE_YEAR, day(1))).hasValue(price("3", Quality.HISTORY, 0));
        assertThat(book.committed(TYPE, REGION, Commitment.ONE_YEAR, day(-1))).hasValue(price("4", Quality.HISTORY, 0));
        assertThat(book.committed(TYPE, REGION, Commitment.THREE_YEARS, day(1))).isEmpty();
    }

    @Test
    void serverlessGpusOfAllBooksAreKnownByName() {
        PriceRow mine = new PriceRow.ServerlessGpu("a10", since(0), price("0.1", Quality.DECLARED, 0));
        PriceRow same = new PriceRow.ServerlessGpu("a10", since(0), price("0.2", Quality.DECLARED, 0));
        PriceRow other = new PriceRow.ServerlessGpu("l4", since(0), price("0.3", Quality.DECLARED, 0));
        PriceBook book = layers(new RowBook(List.of(mine)), new RowBook(List.of(same, other)));

        assertThat(book.serverlessGpus(day(1)))
                .isEqualTo(Map.of("a10", price("0.1", Quality.DECLARED, 0), "l4", price("0.3", Quality.DECLARED, 0)));
        assertThat(book.serverlessGpus(day(-1))).isEmpty();
    }

    private static FargateRates.Rate rate(String usd, Quality quality) {
        return new FargateRates.Rate(price(usd, quality, 0), price(usd, quality, 0));
    }

    private static LambdaRates lambda(String usd, Quality quality) {
        Price price = price(usd, quality, 0);
        return new LambdaRates(List.of(new LambdaRates.Tier(null, price)), price, 0, BigDecimal.ZERO);
    }

    private static PriceBook layers(PriceBook... books) {
        return new LayeredBook(List.of(books));
    }

    private static String usd(PriceBook book, Instant at) {
        return book.onDemand(TYPE, REGION, at)
                .map(price -> price.usd() + " " + price.provenance().quality())
                .orElse("none");
    }
}
