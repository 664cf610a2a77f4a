package io.knabla.controller.cost.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.knabla.controller.cost.budget.BudgetStatus;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;

/**
 * A budget as JSON.
 *
 * @param subject such as {@code function shop/resize}
 * @param amount US dollars of each period
 * @param spent dollars until now, to 9 digits; of what has a price
 * @param forecast dollars at the end of the period at the rate until now; null at its very start
 * @param complete whether all of it has a price
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BudgetView(
        String subject,
        String period,
        Instant from,
        Instant until,
        BigDecimal amount,
        BigDecimal spent,
        BigDecimal share,
        BigDecimal forecast,
        boolean complete,
        boolean exceeded) {
    private static final int DIGITS = 9;

    static BudgetView of(BudgetStatus status) {
        return new BudgetView(
                status.budget().subject(),
                ConstantNames.of(status.budget().period()),
                status.period().start(),
                status.period().end().orElseThrow(),
                status.budget().amount(),
                rounded(status.spent().priced()),
                status.share(),
                status.forecast().map(BudgetView::rounded).orElse(null),
                status.spent().missing().isEmpty(),
                status.exceeded());
    }

    private static BigDecimal rounded(BigDecimal usd) {
        return usd.setScale(DIGITS, RoundingMode.HALF_EVEN);
    }
}
