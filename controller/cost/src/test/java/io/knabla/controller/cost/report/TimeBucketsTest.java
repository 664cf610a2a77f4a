package io.knabla.controller.cost.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.billing.Period;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeBucketsTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @Test
    void theDayOnWhichClocksGoForwardHas23Hours() {
        Period day = days("2026-03-29", "2026-03-30", BERLIN);
        assertThat(names(TimeBuckets.hours(day, BERLIN)))
                .hasSize(23)
                .startsWith("2026-03-29T00:00+01:00", "2026-03-29T01:00+01:00", "2026-03-29T03:00+02:00")
                .endsWith("2026-03-29T23:00+02:00");
        assertThat(lengths(TimeBuckets.days(day, BERLIN))).containsExactly(Duration.ofHours(23));
    }

    @Test
    void theDayOnWhichClocksGoBackHas25HoursAndNamesBothAfterTwo() {
        Period day = days("2026-10-25", "2026-10-26", BERLIN);
        assertThat(names(TimeBuckets.hours(day, BERLIN)))
                .hasSize(25)
                .doesNotHaveDuplicates()
                .contains("2026-10-25T02:00+02:00", "2026-10-25T02:00+01:00");
        assertThat(lengths(TimeBuckets.days(day, BERLIN))).containsExactly(Duration.ofHours(25));
    }

    @Test
    void daysAroundAChangeOfClocksBeginAtMidnightThere() {
        Period days = days("2026-03-28", "2026-03-31", BERLIN);
        assertThat(TimeBuckets.days(days, BERLIN).groups())
                .extracting(
                        group -> group.name() + " " + group.time().orElseThrow().start())
                .containsExactly(
                        "2026-03-28 2026-03-27T23:00:00Z",
                        "2026-03-29 2026-03-28T23:00:00Z",
                        "2026-03-30 2026-03-29T22:00:00Z");
    }

    @Test
    void monthsBeginAtMidnightThereAndAreCutToThePeriod() {
        Period months = days("2026-01-31", "2026-03-02", BERLIN);
        assertThat(TimeBuckets.months(months, BERLIN).groups())
                .extracting(
                        group -> group.name() + " " + group.time().orElseThrow().start())
                .containsExactly(
                        "2026-01 2026-01-30T23:00:00Z", "2026-02 2026-01-31T23:00:00Z", "2026-03 2026-02-28T23:00:00Z");
    }

    @Test
    void hoursBeginWhereTheClocksOfTheZoneShowThem() {
        // India is 5:30 ahead of UTC.
        Period period = Period.past(Instant.parse("2026-03-10T00:00:00Z"), Instant.parse("2026-03-10T01:00:00Z"));
        assertThat(names(TimeBuckets.hours(period, ZoneId.of("Asia/Kolkata"))))
                .containsExactly("2026-03-10T05:00+05:30", "2026-03-10T06:00+05:30");
    }

    @Test
    void clocksThatChangeByHalfAnHourLeaveNoGap() {
        // Lord Howe Island goes from +11:00 back to +10:30 at 02:00 on 5 April 2026, and forward on 4 October.
        ZoneId zone = ZoneId.of("Australia/Lord_Howe");
        for (String date : List.of("2026-04-05", "2026-10-04")) {
            Period day = days(date, LocalDate.parse(date).plusDays(1).toString(), zone);
            List<Duration> lengths = lengths(TimeBuckets.hours(day, zone));
            assertThat(lengths.stream().reduce(Duration.ZERO, Duration::plus))
                    .isEqualTo(Duration.between(day.from(), day.until()));
            assertThat(lengths).contains(Duration.ofMinutes(30)).hasSize(date.equals("2026-04-05") ? 25 : 24);
        }
    }

    @Test
    void theFirstAndTheLastAreCutToThePeriod() {
        Period period = Period.past(Instant.parse("2026-03-10T00:40:00Z"), Instant.parse("2026-03-10T02:10:00Z"));
        assertThat(lengths(TimeBuckets.hours(period, ZoneOffset.UTC)))
                .containsExactly(Duration.ofMinutes(20), Duration.ofHours(1), Duration.ofMinutes(10));
    }

    @Test
    void aTimeIsCutToTheBucketsItTouches() {
        TimeBuckets hours = TimeBuckets.hours(days("2026-03-10", "2026-03-11", ZoneOffset.UTC), ZoneOffset.UTC);
        Interval time = Interval.of(Instant.parse("2026-03-10T01:50:00Z"), Instant.parse("2026-03-10T03:00:00Z"));
        assertThat(hours.seconds(time).values())
                .usingElementComparator(BigDecimal::compareTo)
                .containsExactly(BigDecimal.valueOf(600), BigDecimal.valueOf(3600));
        assertThat(hours.parts(Interval.of(Instant.EPOCH, Instant.EPOCH.plusSeconds(1))))
                .isEmpty();
    }

    @Test
    void anEndOnTheHourBelongsToTheHourBefore() {
        TimeBuckets hours = TimeBuckets.hours(days("2026-03-10", "2026-03-11", ZoneOffset.UTC), ZoneOffset.UTC);
        assertThat(hours.endingAt(Instant.parse("2026-03-10T02:00:00Z")).name()).isEqualTo("2026-03-10T01:00+00:00");
        assertThat(hours.endingAt(Instant.parse("2026-03-10T02:00:01Z")).name()).isEqualTo("2026-03-10T02:00+00:00");
    }

    @Test
    void moreHoursThanAnyoneReadsAreRefused() {
        Period century = days("1926-01-01", "2026-01-01", ZoneOffset.UTC);
        assertThatThrownBy(() -> TimeBuckets.hours(century, ZoneOffset.UTC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("choose a shorter period");
    }

    private static Period days(String from, String until, ZoneId zone) {
        return Period.past(
                LocalDate.parse(from).atStartOfDay(zone).toInstant(),
                LocalDate.parse(until).atStartOfDay(zone).toInstant());
    }

    private static List<String> names(TimeBuckets buckets) {
        return buckets.groups().stream().map(Group::name).toList();
    }

    private static List<Duration> lengths(TimeBuckets buckets) {
        return buckets.groups().stream()
                .map(group -> group.time().orElseThrow())
                .map(time -> Duration.between(time.start(), time.end().orElseThrow()))
                .toList();
    }
}
