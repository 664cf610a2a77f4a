package io.knabla.controller.cost.budget;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.cost.report.Amount;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How much of a budget is spent.
 *
 * @param period the current one; has an end
 * @param spent in it until {@code at}, as far as prices are known
 */
public record BudgetStatus(Budget budget, Interval period, Amount spent, Instant at) {

    /** Share of the amount, to 6 digits. */
    public BigDecimal share() {
        return spent.priced().divide(budget.amount(), 6, RoundingMode.HALF_EVEN);
    }

    /** What has no price does not count, so a budget may be exceeded although this says it is not. */
    public boolean exceeded() {
        return spent.priced().compareTo(budget.amount()) > 0;
    }

    /**
     * Dollars at the end of the period if the rest of it costs as much an hour as its past did; empty at its very
     * start.
     */
    public Optional<BigDecimal> forecast() {
        BigDecimal past = Dollars.seconds(Duration.between(period.start(), at));
        BigDecimal whole =
                Dollars.seconds(Duration.between(period.start(), period.end().orElseThrow()));
        return past.signum() == 0
                ? Optional.empty()
                : Optional.of(spent.priced().multiply(whole).divide(past, Dollars.SCALE, RoundingMode.HALF_EVEN));
    }

    /** Shares of {@link Budget#alertAt} that are reached. */
    public List<BigDecimal> reached() {
        return budget.alertAt().stream()
                .filter(share -> spent.priced().compareTo(budget.amount().multiply(share)) >= 0)
                .toList();
    }
}
