package io.knabla.controller.warm.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Decisions worked by hand. */
class PoliciesTest {
    private static final StartCost START = StartCost.measured(0.5);
    private static final FunctionProfile PROFILE = FunctionProfile.of("f", START);
    private static final long MINUTE = 60_000;

    private long now;

    /** The decision after idle times of these minutes, as minutes from now. */
    private Decision after(FunctionPolicy function, double... idleMinutes) {
        for (double minutes : idleMinutes) {
            serve(function);
            now += Math.round(minutes * MINUTE);
        }
        serve(function);
        return function.decide(0, now + function.minimumKeepMillis());
    }

    private void serve(FunctionPolicy function) {
        function.started(0, now);
        function.ended(0, now);
    }

    private Window minutes(double from, double until) {
        return new Window(now + Math.round(from * MINUTE), now + Math.round(until * MINUTE));
    }

    private static double[] times(int count, double minutes) {
        double[] times = new double[count];
        Arrays.fill(times, minutes);
        return times;
    }

    @Test
    void greedyDualEvictsTheLeastWorthPerByteAndAges() {
        GreedyDual order = new GreedyDual();
        order.used("small", 1, 0.1);
        order.used("large", 1, 1);
        order.used("often", 1, 1);
        order.used("often", 1, 1);

        assertThat(order.priority("small")).isCloseTo(10, within(1e-9));
        assertThat(order.priority("large")).isLessThan(order.priority("often"));
        order.evicted("often");
        order.used("late", 1, 1);
        assertThat(order.priority("late")).isCloseTo(3, within(1e-9));
    }

    @Test
    void adaptiveStartsJustBeforeARegularRequest() {
        Decision decision = after(AdaptivePolicy.worth(1e-4).forFunction(PROFILE), times(30, 60));

        assertThat(decision.reason()).isEqualTo(Reason.WORTH_PRE_WARMING);
        Window last = decision.windows().getLast();
        assertThat(last.from()).isBetween(now + 55 * MINUTE, now + 60 * MINUTE);
        assertThat(last.until()).isBetween(now + 60 * MINUTE, now + 66 * MINUTE);
    }

    @Test
    void adaptiveReleasesWhatIsWorthNothing() {
        assertThat(after(AdaptivePolicy.worth(0).forFunction(PROFILE), times(5, 1)))
                .isEqualTo(Decision.release(Reason.NOT_WORTH_KEEPING));
    }

    @Test
    void adaptiveKeepsLongerWhatIsWorthMore() {
        long cheap = after(AdaptivePolicy.worth(1e-4).forFunction(PROFILE))
                .windows()
                .getFirst()
                .until();
        long dear = after(AdaptivePolicy.worth(1e-2).forFunction(PROFILE))
                .windows()
                .getFirst()
                .until();

        assertThat(dear).isGreaterThan(10 * cheap);
    }
}
