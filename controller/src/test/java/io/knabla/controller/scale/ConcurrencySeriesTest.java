package io.knabla.controller.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Tests averages over windows, and compares them with a sum over every millisecond. */
class ConcurrencySeriesTest {
    private static final Duration WINDOW = Duration.ofSeconds(6);

    @Test
    void aYoungSeriesIsAveragedOverItsAge() {
        ConcurrencySeries series = new ConcurrencySeries(Duration.ofSeconds(60), 500);
        series.change(500, 2);

        assertThat(series.average(500, WINDOW)).isEqualTo(2);
        series.change(1_500, -2);
        assertThat(series.average(2_500, WINDOW)).isEqualTo(1);
    }

    @Test
    void theFirstRequestAfterALongSleepCountsInFull() {
        ConcurrencySeries series = new ConcurrencySeries(Duration.ofSeconds(60), 0);
        series.change(0, 1);
        series.change(10, -1);
        series.change(600_000, 1);

        assertThat(series.average(600_000, Duration.ofSeconds(60))).isEqualTo(1);
        assertThat(series.average(601_000, Duration.ofSeconds(60))).isEqualTo(1);
    }

    @Test
    void aClockThatStepsBackStandsStill() {
        ConcurrencySeries series = new ConcurrencySeries(Duration.ofSeconds(60), 10_000);
        series.change(11_000, 3);
        series.change(9_000, -1);

        assertThat(series.current()).isEqualTo(2);
        assertThat(series.average(12_000, WINDOW)).isEqualTo(2);
    }

    /** Windows and buckets coincide at whole seconds, where the result must be exact. */
    @Property
    void agreesWithEveryMillisecondAddedUp(
            @ForAll @Size(min = 1, max = 40) List<@IntRange(max = 2_999) Integer> gaps,
            @ForAll @IntRange(min = 1, max = 60) int windowSeconds) {
        ConcurrencySeries series = new ConcurrencySeries(Duration.ofSeconds(60), 0);
        int[] each = new int[130_000];
        int now = 0;
        int current = 1;
        series.change(0, 1);
        for (int gap : gaps) {
            java.util.Arrays.fill(each, now, now + gap, current);
            now += gap;
            // Never back to zero, where the series would start over.
            int delta = current > 1 && gap % 2 == 0 ? -1 : 1;
            series.change(now, delta);
            current += delta;
        }
        int end = (now / 1_000 + 1) * 1_000;
        java.util.Arrays.fill(each, now, end, current);
        int from = Math.max(0, end - windowSeconds * 1_000);
        double sum = 0;
        for (int i = from; i < end; i++) {
            sum += each[i];
        }

        double average = series.average(end, Duration.ofSeconds(windowSeconds));

        assertThat(average).isCloseTo(sum / (end - from), within(1e-9));
    }
}
