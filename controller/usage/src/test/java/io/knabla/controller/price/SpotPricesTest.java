package io.knabla.controller.price;

import static io.knabla.controller.price.Rows.REGION;
import static io.knabla.controller.price.Rows.TYPE;
import static io.knabla.controller.price.Rows.ZONE;
import static io.knabla.controller.price.Rows.average;
import static io.knabla.controller.price.Rows.day;
import static io.knabla.controller.price.Rows.days;
import static io.knabla.controller.price.Rows.price;
import static io.knabla.controller.price.Rows.since;
import static io.knabla.controller.price.Rows.spot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpotPricesTest {
    @Test
    void eachChangeHoldsUntilTheNextOneAndIsCutToTheTime() {
        RowBook book = new RowBook(List.of(spot(since(4), "0.5"), spot(since(0), "0.3"), spot(since(2), "0.4")));

        assertThat(parts(book, days(1, 5))).containsExactly("1..2 0.3 HISTORY", "2..4 0.4 HISTORY", "4..5 0.5 HISTORY");
    }

    @Test
    void aTimeWithinOneChangeHasOnePart() {
        RowBook book = new RowBook(List.of(spot(since(0), "0.3"), spot(since(5), "0.4")));

        assertThat(parts(book, days(1, 2))).containsExactly("1..2 0.3 HISTORY");
        assertThat(parts(book, days(4, 5))).containsExactly("4..5 0.3 HISTORY");
        assertThat(parts(book, days(5, 6))).containsExactly("5..6 0.4 HISTORY");
        assertThat(parts(book, days(1, 1))).isEmpty();
    }

    @Test
    void beforeTheFirstChangeNothingIsKnown() {
        RowBook book = new RowBook(List.of(spot(since(2), "0.3")));

        assertThat(parts(book, days(0, 3))).containsExactly("2..3 0.3 HISTORY");
        assertThat(parts(book, days(0, 2))).isEmpty();
    }

    @Test
    void theLastChangeIsStretchedSevenDaysBeyondWhenItWasReadAndNoLonger() {
        assertThat(parts(new RowBook(List.of(spot(since(0), "0.3"))), days(0, 30)))
                .containsExactly("0..7 0.3 HISTORY");
        assertThat(parts(new RowBook(List.of(spot(since(0), "0.3", 10))), days(0, 30)))
                .containsExactly("0..17 0.3 HISTORY");
        assertThat(parts(new RowBook(List.of(spot(since(0), "0.3", 10))), days(17, 30)))
                .isEmpty();
    }

    @Test
    void aHoleBetweenTwoReadingsStaysAHole() {
        RowBook book = new RowBook(List.of(spot(since(0), "0.3"), spot(since(20), "0.4")));

        assertThat(parts(book, days(0, 22))).containsExactly("0..7 0.3 HISTORY", "20..22 0.4 HISTORY");
    }

    @Test
    void aPriceThatEndsBeforeUsageBeginsIsAbsent() {
        assertThat(parts(new RowBook(List.of(spot(days(0, 2), "0.3"))), days(2, 4)))
                .isEmpty();
        assertThat(parts(new RowBook(List.of(spot(days(0, 2), "0.3"))), days(1, 4)))
                .containsExactly("1..2 0.3 HISTORY");
    }

    @Test
    void theAverageOfTheRegionFillsWhatTheHistoryLacksAndIsMarkedDerived() {
        RowBook book = new RowBook(List.of(
                spot(since(0), "0.3"), spot(since(20), "0.4"), average(since(10), "0.9"), average(since(15), "0.8")));

        assertThat(parts(book, days(-2, 40)))
                .containsExactly(
                        "-2..0 0.9 DEFAULT",
                        "0..7 0.3 HISTORY",
                        "7..10 0.9 DEFAULT",
                        "10..15 0.9 DERIVED",
                        "15..20 0.8 DERIVED",
                        "20..27 0.4 HISTORY",
                        "27..40 0.8 DEFAULT");
    }

    @Test
    void anAverageIsKnownForSevenDaysAndThenAssumedWithItsDate() {
        RowBook book = new RowBook(List.of(average(since(0), "0.9")));

        assertThat(parts(book, days(-1, 9)))
                .containsExactly("-1..0 0.9 DEFAULT", "0..7 0.9 DERIVED", "7..9 0.9 DEFAULT");
        assertThat(book.spot(TYPE, REGION, ZONE, days(8, 9))
                        .getFirst()
                        .perHour()
                        .provenance())
                .isEqualTo(new Provenance(Quality.DEFAULT, "average; spot average of 2026-01-01 assumed", day(0)));
    }

    @Test
    void anotherZoneHasTheAverageOnly() {
        RowBook book = new RowBook(List.of(spot(since(0), "0.3"), average(since(0), "0.9")));

        assertThat(book.spot(TYPE, REGION, "use1-az2", days(0, 1)))
                .extracting(part -> part.perHour().usd().toPlainString())
                .containsExactly("0.9");
        assertThat(book.spot(TYPE, "eu-west-1", ZONE, days(0, 1))).isEmpty();
        assertThat(book.spot("x.large", REGION, ZONE, days(0, 1))).isEmpty();
    }

    @Test
    void aPriceForAnyZoneFillsWhatTheZoneLacks() {
        RowBook book = new RowBook(List.of(
                spot(days(1, 2), "0.3"),
                new PriceRow.Spot(TYPE, REGION, PriceRow.ANY, since(0), price("0.5", Quality.DECLARED, 0))));

        assertThat(parts(book, days(0, 3)))
                .containsExactly("0..1 0.5 DECLARED", "1..2 0.3 HISTORY", "2..3 0.5 DECLARED");
    }

    @Test
    void aTimeWithoutEndIsRefused() {
        assertThatThrownBy(() -> new RowBook(List.of()).spot(TYPE, REGION, ZONE, since(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no end");
    }

    static List<String> parts(PriceBook book, Interval time) {
        return book.spot(TYPE, REGION, ZONE, time).stream()
                .map(part -> "%d..%d %s %s"
                        .formatted(
                                Duration.between(day(0), part.time().start()).toDays(),
                                part.time()
                                        .duration(null)
                                        .plus(Duration.between(
                                                day(0), part.time().start()))
                                        .toDays(),
                                part.perHour().usd(),
                                part.perHour().provenance().quality()))
                .toList();
    }
}
