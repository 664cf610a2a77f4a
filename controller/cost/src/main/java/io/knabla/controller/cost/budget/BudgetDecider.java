package io.knabla.controller.cost.budget;

import io.knabla.controller.billing.Dollars;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Decides which alerts of budgets are due: each share of each budget once in each period. */
public final class BudgetDecider {
    private BudgetDecider() {}

    /** @param share of the amount that is reached */
    public record Alert(BudgetStatus status, BigDecimal share) {
        /**
         * Identifies the alert for good: characters of an object key, such as
         * {@code function/shop/resize/month-2026-11-01/10-0.8}. A changed amount is another alert.
         */
        public String id() {
            Budget budget = status.budget();
            String day = status.period().start().toString().substring(0, "2026-11-01".length());
            return "%s/%s-%s/%s-%s"
                    .formatted(
                            budget.subject().replace(' ', '/'),
                            budget.period().name().toLowerCase(Locale.ROOT),
                            day,
                            plain(budget.amount()),
                            plain(share));
        }

        /** One sentence for people. */
        public String sentence() {
            Budget budget = status.budget();
            return "the %s has spent %s of its %s USD of this %s, %s%%; alerts are set at %s%%"
                    .formatted(
                            budget.subject(),
                            Dollars.text(status.spent().priced()),
                            plain(budget.amount()),
                            budget.period().name().toLowerCase(Locale.ROOT),
                            percent(status.share()),
                            percent(share));
        }

        private static String percent(BigDecimal share) {
            return plain(share.movePointRight(2).setScale(0, RoundingMode.DOWN));
        }

        private static String plain(BigDecimal number) {
            return number.stripTrailingZeros().toPlainString();
        }
    }

    /** @param given whether the alert of an {@link Alert#id} was given before */
    public static List<Alert> due(List<BudgetStatus> statuses, Predicate<String> given) {
        return statuses.stream()
                .flatMap(status -> status.reached().stream().map(share -> new Alert(status, share)))
                .filter(alert -> !given.test(alert.id()))
                .toList();
    }
}
