package io.knabla.controller.cost.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.scenario.Scenario;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Amounts are computed by hand in {@link Fleet}. */
class CostOverTimeTest {
    private static final Group ALL = Group.named("all");

    @Test
    void hoursOfEachCapacityTypeCostWhatHeldInThem() {
        CostOverTime hours = of(Dimension.CAPACITY);
        assertThat(usd(hours, "on-demand")).containsExactly("0.36", "0.36", "0", "0");
        assertThat(usd(hours, "spot")).containsExactly("0", "0.12", "0.18", "0");
    }

    @Test
    void hoursOfEachFunctionAreItsReplicas() {
        CostOverTime hours = of(Dimension.FUNCTION);
        assertThat(usd(hours, "shop/rank")).containsExactly("0.18", "0", "0", "0");
        assertThat(usd(hours, "lab/embed")).containsExactly("0", "0.03", "0.045", "0");
        assertThat(usd(hours, "(idle)")).containsExactly("0.18", "0.45", "0.135", "0");
        assertThat(usd(hours, "unknown")).containsExactly("0", "0", "0", "0");
    }

    @Test
    void mergedOnesSumToTheTotal() {
        CostOverTime all = of(Dimension.FUNCTION).merged(group -> ALL, time -> ALL);
        assertThat(all.times()).containsExactly(ALL);
        assertThat(usd(all, "all")).containsExactly("1.02");
        assertThat(usd(of(Dimension.CAPACITY).merged(group -> ALL, UnaryOperator.identity()), "all"))
                .containsExactly("0.36", "0.48", "0.18", "0");
    }

    private static CostOverTime of(Dimension groups) {
        return CostOverTime.of(
                groups,
                Dimension.HOUR,
                ZoneOffset.UTC,
                Fleet.ROWS,
                Fleet.PERIOD,
                Fleet.priced(Scenario.AS_IT_RAN, Fleet.ROWS, Fleet.PERIOD));
    }

    private static List<String> usd(CostOverTime over, String group) {
        return over.of(Group.named(group)).stream().map(Decimals::plain).toList();
    }
}
