package io.knabla.controller.warm.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.warm.schedule.MinimumSchedule.Entry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MinimumScheduleTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static Entry entry(String cron, Duration duration, int minimum) {
        return new Entry(CronTimes.of(cron, BERLIN), duration, minimum);
    }

    private static Instant local(String time) {
        return ZonedDateTime.parse(time + "[Europe/Berlin]").toInstant();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "2026-11-20T07:59:59+01:00, 0",
        "2026-11-20T08:00:00+01:00, 1",
        "2026-11-20T11:59:59+01:00, 1",
        "2026-11-20T12:00:00+01:00, 3",
        "2026-11-20T12:59:59+01:00, 3",
        "2026-11-20T13:00:00+01:00, 1",
        "2026-11-20T17:59:59+01:00, 1",
        "2026-11-20T18:00:00+01:00, 0",
        "2026-11-21T10:00:00+01:00, 0"
    })
    void overlappingWindowsTakeTheMaximum(String time, int minimum) {
        MinimumSchedule schedule = new MinimumSchedule(
                List.of(entry("0 8 * * 1-5", Duration.ofHours(10), 1), entry("0 12 * * 1-5", Duration.ofHours(1), 3)));

        assertThat(schedule.minimum(local(time))).isEqualTo(minimum);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        // Clocks go from 02:00 to 03:00: local midnight to local six is five hours long.
        "2026-03-28T23:30:00Z, 1",
        "2026-03-29T04:59:59Z, 1",
        "2026-03-29T05:00:00Z, 0",
        // Clocks go from 03:00 back to 02:00.
        "2026-10-24T21:59:59Z, 0",
        "2026-10-24T22:00:00Z, 1",
        "2026-10-25T03:59:59Z, 1",
        "2026-10-25T04:00:00Z, 0"
    })
    void aWindowLastsEquallyLongWhenTheClocksChange(String time, int minimum) {
        MinimumSchedule nights = new MinimumSchedule(List.of(entry("0 0 * * *", Duration.ofHours(6), 1)));

        assertThat(nights.minimum(Instant.parse(time))).isEqualTo(minimum);
    }

    @Test
    void aRepeatedLocalTimeBeginsOneWindow() {
        CronTimes halfPastTwo = CronTimes.of("30 2 * * *", BERLIN);
        Instant first = halfPastTwo.after(Instant.parse("2026-10-24T20:00:00Z")).orElseThrow();

        assertThat(first).isEqualTo("2026-10-25T00:30:00Z");
        assertThat(halfPastTwo.after(first)).contains(Instant.parse("2026-10-26T01:30:00Z"));
    }

    @ParameterizedTest
    @CsvSource({"30 2 * * *, 2026-03-30T00:30:00Z", "*/10 2 * * *, 2026-03-30T00:00:00Z"})
    void skippedLocalTimesBeginOneWindowWhenTheClocksGoOn(String cron, Instant following) {
        CronTimes night = CronTimes.of(cron, BERLIN);
        Instant on = Instant.parse("2026-03-29T01:00:00Z");

        assertThat(night.after(Instant.parse("2026-03-28T12:00:00Z"))).contains(on);
        assertThat(night.after(on)).contains(following);
    }

    @Test
    void aWindowThatBeginsInTheSkippedHourIsOpenAfterIt() {
        MinimumSchedule nights = new MinimumSchedule(List.of(entry("30 2 * * *", Duration.ofHours(1), 1)));

        assertThat(nights.minimum(Instant.parse("2026-03-29T00:59:59Z"))).isZero();
        assertThat(nights.minimum(Instant.parse("2026-03-29T01:00:00Z"))).isEqualTo(1);
        assertThat(nights.minimum(Instant.parse("2026-03-29T02:00:00Z"))).isZero();
    }

    @Test
    void aWindowLongerThanItsPeriodStaysOpen() {
        MinimumSchedule always = new MinimumSchedule(List.of(entry("0 * * * *", Duration.ofHours(30), 2)));

        assertThat(always.minimum(Instant.parse("2026-11-20T10:59:59Z"))).isEqualTo(2);
    }

    @Test
    void theLeadOpensAWindowEarlier() {
        MinimumSchedule days = new MinimumSchedule(List.of(entry("0 8 * * *", Duration.ofHours(1), 2)));
        Instant before = local("2026-11-20T07:58:00+01:00");

        assertThat(days.minimumWithin(before, Duration.ofMinutes(1))).isZero();
        assertThat(days.minimumWithin(before, Duration.ofMinutes(2))).isEqualTo(2);
    }

    @Test
    void faultsAreRefused() {
        assertThatThrownBy(() -> CronTimes.of("0 25 * * *", BERLIN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> entry("0 8 * * *", Duration.ZERO, 1)).hasMessageContaining("duration above 0");
    }
}
