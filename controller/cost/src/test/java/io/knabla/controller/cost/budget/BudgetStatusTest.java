package io.knabla.controller.cost.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.report.Amount;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BudgetStatusTest {
    private static final Budget BUDGET = new Budget(
            "lab",
            Optional.empty(),
            new BigDecimal("30"),
            BudgetPeriod.MONTH,
            List.of(BigDecimal.ONE, new BigDecimal("0.5")),
            Optional.empty());

    private static BudgetStatus spent(String usd, String at) {
        Instant time = Instant.parse(at);
        return new BudgetStatus(BUDGET, BudgetPeriod.MONTH.around(time), new Amount.Whole(new BigDecimal(usd)), time);
    }

    @Test
    void periodsAreThoseOfUtc() {
        Instant sunday = Instant.parse("2026-11-01T00:00:00Z");
        assertThat(BudgetPeriod.DAY.around(sunday)).isEqualTo(between("2026-11-01", "2026-11-02"));
        assertThat(BudgetPeriod.WEEK.around(sunday)).isEqualTo(between("2026-10-26", "2026-11-02"));
        assertThat(BudgetPeriod.MONTH.around(sunday)).isEqualTo(between("2026-11-01", "2026-12-01"));
    }

    private static Interval between(String from, String until) {
        return Interval.of(Instant.parse(from + "T00:00:00Z"), Instant.parse(until + "T00:00:00Z"));
    }

    /** 10 USD in 10 of 30 days make 30 USD. */
    @Test
    void theForecastGoesOnAsBefore() {
        assertThat(spent("10", "2026-11-11T00:00:00Z").forecast().orElseThrow()).isEqualByComparingTo("30");
        assertThat(spent("0", "2026-11-01T00:00:00Z").forecast()).isEmpty();
    }

    @Test
    void exceededIsMoreThanAll() {
        assertThat(spent("30", "2026-11-11T00:00:00Z").exceeded()).isFalse();
        assertThat(spent("30.000001", "2026-11-11T00:00:00Z").exceeded()).isTrue();
    }

    @Test
    void alertsAreDueOnce() {
        BudgetStatus full = spent("30", "2026-11-11T00:00:00Z");
        assertThat(BudgetDecider.due(List.of(full, spent("1", "2026-11-11T00:00:00Z")), id -> false))
                .extracting(BudgetDecider.Alert::id)
                .containsExactly("namespace/lab/month-2026-11-01/30-0.5", "namespace/lab/month-2026-11-01/30-1");
        assertThat(BudgetDecider.due(List.of(full), id -> id.endsWith("-0.5")))
                .extracting(BudgetDecider.Alert::share)
                .containsExactly(BigDecimal.ONE);
    }
}
