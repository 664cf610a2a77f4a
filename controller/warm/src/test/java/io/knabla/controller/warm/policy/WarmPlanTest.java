package io.knabla.controller.warm.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class WarmPlanTest {
    private static final int LEAST = LogTime.cell(4);

    private static double[] certain(double seconds) {
        double[] forecast = new double[LogTime.CELLS + 1];
        forecast[LogTime.cell(seconds)] = 1;
        return forecast;
    }

    @Test
    void aNearRequestIsWaitedFor() {
        List<double[]> windows = WarmPlan.of(certain(30), LEAST, 100, 40);

        assertThat(windows).hasSize(1);
        assertThat(windows.getFirst()[0]).isCloseTo(4, within(0.1));
        assertThat(windows.getFirst()[1]).isCloseTo(30, within(0.5));
    }

    @Test
    void aFarRequestIsStartedFor() {
        List<double[]> windows = WarmPlan.of(certain(3600), LEAST, 100, 2);

        assertThat(windows).hasSize(1);
        assertThat(windows.getFirst()[0]).isCloseTo(3600, within(40.0));
        assertThat(windows.getFirst()[1] - windows.getFirst()[0]).isLessThan(80);
    }

    @Test
    void aRequestIsNotStartedForIfLoadingCostsMore() {
        assertThat(WarmPlan.of(certain(3600), LEAST, 100, 101)).isEmpty();
    }

    /** The expected cost of windows, straight from its definition. */
    private static double cost(double[] forecast, List<double[]> windows, double cold, double load) {
        double cost = 0;
        double never = 1;
        for (int cell = LEAST; cell < LogTime.CELLS; cell++) {
            never -= forecast[cell];
            double middle = (LogTime.begin(cell) + LogTime.begin(cell + 1)) / 2;
            boolean warm = windows.stream().anyMatch(window -> window[0] < middle && middle < window[1]);
            cost += forecast[cell] * ((warm ? 0 : cold) + spent(windows, middle, load));
        }
        return cost + never * spent(windows, Double.MAX_VALUE, load);
    }

    private static double spent(List<double[]> windows, double until, double load) {
        double spent = 0;
        for (double[] window : windows) {
            if (window[0] < until) {
                spent += Math.min(until, window[1]) - window[0];
                spent += window[0] > LogTime.begin(LEAST) ? load : 0;
            }
        }
        return spent;
    }

    @Property(tries = 100)
    void noOtherWindowsCostLess(
            @ForAll long seed,
            @ForAll @DoubleRange(min = 1, max = 10_000) double cold,
            @ForAll @DoubleRange(min = 0, max = 10) double load) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] forecast = new double[LogTime.CELLS + 1];
        double each = random.nextDouble() / 5;
        for (int peak = 0; peak < 5; peak++) {
            forecast[random.nextInt(LEAST, LogTime.CELLS)] += each;
        }
        double planned = cost(forecast, WarmPlan.of(forecast, LEAST, cold, load), cold, load);
        for (int other = 0; other < 20; other++) {
            int from = random.nextInt(LEAST, LogTime.CELLS);
            int until = random.nextInt(from, LogTime.CELLS) + 1;
            List<double[]> window = List.of(new double[] {LogTime.begin(from), LogTime.begin(until)});
            assertThat(planned).isLessThanOrEqualTo(1e-6 + cost(forecast, window, cold, load));
        }
        assertThat(planned).isLessThanOrEqualTo(1e-6 + cost(forecast, List.of(), cold, load));
    }
}
