package io.knabla.controller.warm.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Decisions worked by hand. */
class PoliciesTest extends WorkedDecisions {
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
